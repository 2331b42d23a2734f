"""What a file manager does: files to drag, and files or a picture on the clipboard.

`drag PATH…` shows a small window in the upper left corner that is dragged as those files. `copy PATH…` puts files on the
clipboard, and no text; `picture PATH` puts a picture there. Each says a line when it is ready and stays until it is ended.
"""

import sys

import gi

gi.require_version("Gtk", "3.0")
gi.require_version("Gdk", "3.0")
from gi.repository import Gdk, GdkPixbuf, GLib, Gtk

SIDE = 60


def uris(paths):
    return [GLib.filename_to_uri(path, None) for path in paths]


def drag(paths):
    # Of the kind that no window manager moves.
    window = Gtk.Window(type=Gtk.WindowType.POPUP)
    window.resize(SIDE, SIDE)
    window.move(0, 0)
    handle = Gtk.EventBox()
    window.add(handle)
    target = Gtk.TargetEntry.new("text/uri-list", 0, 0)
    handle.drag_source_set(Gdk.ModifierType.BUTTON1_MASK, [target], Gdk.DragAction.COPY)
    handle.connect("drag-data-get", lambda _, __, data, ___, ____: data.set_uris(uris(paths)))
    window.show_all()


def copy(paths):
    owner = Gtk.Invisible()
    owner.show()
    Gtk.selection_add_target(owner, Gdk.SELECTION_CLIPBOARD, Gdk.Atom.intern("text/uri-list", False), 0)
    owner.connect("selection-get", lambda _, data, __, ___: data.set_uris(uris(paths)))
    assert Gtk.selection_owner_set(owner, Gdk.SELECTION_CLIPBOARD, Gdk.CURRENT_TIME)
    return owner


def picture(path):
    Gtk.Clipboard.get(Gdk.SELECTION_CLIPBOARD).set_image(GdkPixbuf.Pixbuf.new_from_file(path))


what, paths = sys.argv[1], sys.argv[2:]
kept = {"drag": drag, "copy": copy, "picture": lambda paths: picture(paths[0])}[what](paths)
GLib.idle_add(lambda: print("ready", flush=True))
Gtk.main()

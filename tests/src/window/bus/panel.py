"""A panel's tray, as far as a test needs one: it takes StatusNotifierItems, and shows and works them by command.

`watch` is the panel, until it is ended. The others look at the first item that it has, and print JSON: `item`, `menu`,
`click LABEL`, `activate`.
"""

import json
import sys

import dbus
import dbus.service
from dbus.mainloop.glib import DBusGMainLoop
from gi.repository import GLib

WATCHER = "org.kde.StatusNotifierWatcher"
ITEM = "org.kde.StatusNotifierItem"
MENU = "com.canonical.dbusmenu"
PROPERTIES = "org.freedesktop.DBus.Properties"


class Panel(dbus.service.Object):
    def __init__(self, bus):
        self.items = []
        self.bus = bus
        super().__init__(dbus.service.BusName(WATCHER, bus), "/StatusNotifierWatcher")
        bus.add_signal_receiver(self.owner, "NameOwnerChanged", "org.freedesktop.DBus")

    def owner(self, name, _old, new):
        if not new:
            self.items = [item for item in self.items if item[0] != name]

    @dbus.service.method(WATCHER, in_signature="s", sender_keyword="sender")
    def RegisterStatusNotifierItem(self, service, sender=None):
        # Either a name on the bus, or a path at whoever calls.
        name, path = (sender, service) if service.startswith("/") else (service, "/StatusNotifierItem")
        self.items.append((str(name), str(path)))

    @dbus.service.method(PROPERTIES, in_signature="ss", out_signature="v")
    def Get(self, _interface, name):
        return self.GetAll(_interface)[name]

    @dbus.service.method(PROPERTIES, in_signature="s", out_signature="a{sv}")
    def GetAll(self, _interface):
        return {
            "RegisteredStatusNotifierItems": dbus.Array([a + b for a, b in self.items], signature="s"),
            "IsStatusNotifierHostRegistered": dbus.Boolean(True),
            "ProtocolVersion": dbus.Int32(0),
        }


def plain(value):
    if isinstance(value, dbus.Boolean):
        return bool(value)
    if isinstance(value, (dbus.Int32, dbus.UInt32, dbus.Byte)):
        return int(value)
    if isinstance(value, dbus.Dictionary):
        return {str(key): plain(one) for key, one in value.items()}
    if isinstance(value, dbus.ByteArray) or getattr(value, "signature", "") == "y":
        return bytes(value).hex()
    if isinstance(value, (dbus.Array, dbus.Struct)):
        return [plain(one) for one in value]
    return str(value)


def first_item(bus):
    panel = dbus.Interface(bus.get_object(WATCHER, "/StatusNotifierWatcher"), PROPERTIES)
    items = panel.Get(WATCHER, "RegisteredStatusNotifierItems")
    if not items:
        raise SystemExit("no item")
    name, path = str(items[0]).split("/", 1)
    return bus.get_object(name, "/" + path)


def menu_of(bus, item):
    path = dbus.Interface(item, PROPERTIES).Get(ITEM, "Menu")
    return dbus.Interface(bus.get_object(item.bus_name, path), MENU)


def entries(menu):
    _revision, (_id, _properties, children) = menu.GetLayout(0, -1, dbus.Array([], signature="s"))
    return [{"id": int(number), **plain(properties)} for number, properties, _ in children]


def main():
    DBusGMainLoop(set_as_default=True)
    bus = dbus.SessionBus()
    command = sys.argv[1]
    if command == "watch":
        Panel(bus)
        print("ready", flush=True)
        GLib.MainLoop().run()
    item = first_item(bus)
    if command == "item":
        print(json.dumps(plain(dbus.Interface(item, PROPERTIES).GetAll(ITEM))))
    elif command == "menu":
        print(json.dumps(entries(menu_of(bus, item))))
    elif command == "activate":
        dbus.Interface(item, ITEM).Activate(0, 0)
    elif command == "click":
        menu = menu_of(bus, item)
        wanted = [entry for entry in entries(menu) if entry.get("label") == sys.argv[2]]
        if not wanted:
            raise SystemExit("no such entry")
        menu.Event(wanted[0]["id"], "clicked", dbus.Int32(0), dbus.UInt32(0))


main()

"""A notification server that shows nothing, keeps what it is given, and lets a test press any action.

`serve` is the server, until it is ended. `list` prints what shows as JSON, `press ID ACTION` does what a person would.
"""

import json
import sys

import dbus
import dbus.service
from dbus.mainloop.glib import DBusGMainLoop
from gi.repository import GLib

NAME = "org.freedesktop.Notifications"
PATH = "/org/freedesktop/Notifications"
TEST = "app.belfry.Test"


class Server(dbus.service.Object):
    def __init__(self, bus):
        self.shown = {}
        self.last = 0
        super().__init__(dbus.service.BusName(NAME, bus), PATH)

    @dbus.service.method(NAME, in_signature="susssasa{sv}i", out_signature="u")
    def Notify(self, app, replaces, icon, summary, body, actions, hints, timeout):
        if replaces not in self.shown:
            self.last += 1
            replaces = self.last
        self.shown[int(replaces)] = {
            "id": int(replaces),
            "app": str(app),
            "icon": str(icon),
            "summary": str(summary),
            "body": str(body),
            "actions": [str(one) for one in actions],
            "urgency": int(hints.get("urgency", 1)),
            "timeout": int(timeout),
        }
        return replaces

    @dbus.service.method(NAME, in_signature="u")
    def CloseNotification(self, number):
        if self.shown.pop(int(number), None):
            self.NotificationClosed(number, 3)

    @dbus.service.method(NAME, out_signature="as")
    def GetCapabilities(self):
        return ["actions", "body", "body-markup"]

    @dbus.service.method(NAME, out_signature="ssss")
    def GetServerInformation(self):
        return ("test", "belfry", "1", "1.2")

    @dbus.service.signal(NAME, signature="us")
    def ActionInvoked(self, number, action):
        pass

    @dbus.service.signal(NAME, signature="uu")
    def NotificationClosed(self, number, reason):
        pass

    @dbus.service.method(TEST, out_signature="s")
    def List(self):
        return json.dumps(list(self.shown.values()))

    @dbus.service.method(TEST, in_signature="us")
    def Press(self, number, action):
        self.ActionInvoked(number, action)
        self.CloseNotification(number)


def main():
    DBusGMainLoop(set_as_default=True)
    bus = dbus.SessionBus()
    if sys.argv[1] == "serve":
        Server(bus)
        print("ready", flush=True)
        GLib.MainLoop().run()
    test = dbus.Interface(bus.get_object(NAME, PATH), TEST)
    if sys.argv[1] == "list":
        print(test.List())
    else:
        test.Press(dbus.UInt32(int(sys.argv[2])), sys.argv[3])


main()

//! Ports that workspaces are given.

use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr, TcpListener};

use belfry_protocol::workspace::PortRange;

/// The first ports of the settings' range that no workspace has and nobody listens on; none where there are no such left.
pub(super) fn lease(
    settings: belfry_protocol::settings::Workspaces,
    taken: &[PortRange],
    listened: impl Fn(u16) -> bool,
) -> Option<PortRange> {
    let count = settings.ports.max(1);
    let mut first = settings.first_port;
    while let Some(last) = first.checked_add(count - 1).filter(|last| *last <= settings.last_port) {
        let clash = |other: &&PortRange| first <= end(**other) && other.first <= last;
        if let Some(other) = taken.iter().find(clash) {
            first = end(*other).checked_add(1)?;
            continue;
        }
        match (first..=last).find(|port| listened(*port)) {
            None => return Some(PortRange { first, count }),
            Some(port) => first = port.checked_add(1)?,
        }
    }
    None
}

fn end(range: PortRange) -> u16 {
    range.first.saturating_add(range.count.saturating_sub(1))
}

/// Whether somebody listens on a port of this machine, on any or on its own addresses. Asked by trying to: the answer holds for
/// this moment.
pub(super) fn is_listened(port: u16) -> bool {
    let places: [SocketAddr; 4] = [
        (Ipv4Addr::UNSPECIFIED, port).into(),
        (Ipv4Addr::LOCALHOST, port).into(),
        (Ipv6Addr::UNSPECIFIED, port).into(),
        (Ipv6Addr::LOCALHOST, port).into(),
    ];
    places.into_iter().any(|place| match TcpListener::bind(place) {
        Ok(_) => false,
        Err(error) => error.kind() == std::io::ErrorKind::AddrInUse,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_port_is_given_twice() {
        let settings = belfry_protocol::settings::Workspaces {
            first_port: 3100,
            last_port: 3139,
            ports: 10,
            ..Default::default()
        };
        let mut taken = Vec::new();
        let free = |port: u16| port == 3115;
        let first = lease(settings, &taken, free).expect("ports");
        assert_eq!(first, PortRange { first: 3100, count: 10 });
        taken.push(first);
        let second = lease(settings, &taken, free).expect("ports");
        assert_eq!(second.first, 3116, "beyond the one that is taken");
        taken.push(second);
        let third = lease(settings, &taken, free).expect("ports");
        assert_eq!(third.first, 3126);
        taken.push(third);
        assert_eq!(lease(settings, &taken, free), None);
        taken.remove(0);
        assert_eq!(lease(settings, &taken, free), Some(first));
    }

    #[test]
    fn who_listens_is_seen() {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a port");
        assert!(is_listened(listener.local_addr().expect("an address").port()));
    }
}

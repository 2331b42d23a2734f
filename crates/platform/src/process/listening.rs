//! On which ports processes listen.
//!
//! Linux: the kernel's tables of sockets (`/proc/PID/net/tcp` and `tcp6`, of that process's network) name each by its inode, and
//! so do the links in `/proc/PID/fd`. Plan for macOS: `proc_pidinfo(PROC_PIDLISTFDS)` and `proc_pidfdinfo(PROC_PIDFDSOCKETINFO)`.
//! Plan for Windows: `GetExtendedTcpTable(TCP_TABLE_OWNER_PID_LISTENER)`.

/// TCP ports on which any of these processes listens, whatever the address: ascending, each once.
#[cfg(target_os = "linux")]
pub fn listening(pids: &[u32]) -> Vec<u16> {
    use std::collections::HashMap;

    // All are in the network of the first that can be asked, as far as anybody here cares: one that a container has for itself
    // is reached by other ports.
    let tables = pids.iter().find_map(|pid| {
        let table = |name: &str| std::fs::read_to_string(format!("/proc/{pid}/net/{name}"));
        Some([table("tcp").ok()?, table("tcp6").unwrap_or_default()])
    });
    let sockets: HashMap<u64, u16> = tables.iter().flatten().flat_map(|table| listeners(table)).collect();
    if sockets.is_empty() {
        return Vec::new();
    }
    let mut ports = Vec::new();
    for pid in pids {
        let Ok(open) = std::fs::read_dir(format!("/proc/{pid}/fd")) else { continue };
        for file in open.flatten() {
            let Ok(target) = std::fs::read_link(file.path()) else { continue };
            let inode = target
                .to_str()
                .and_then(|target| target.strip_prefix("socket:[")?.strip_suffix(']')?.parse::<u64>().ok());
            ports.extend(inode.and_then(|inode| sockets.get(&inode)));
        }
    }
    ports.sort_unstable();
    ports.dedup();
    ports
}

/// See above: nothing here yet.
#[cfg(not(target_os = "linux"))]
pub fn listening(_: &[u32]) -> Vec<u16> {
    Vec::new()
}

/// Inode and port of the listening sockets in a table whose lines are
/// `NUMBER: LOCAL:PORT REMOTE:PORT STATE QUEUES TIMER RETRANSMITS UID TIMEOUT INODE …`; 0A is the state of one that listens.
#[cfg(target_os = "linux")]
fn listeners(table: &str) -> impl Iterator<Item = (u64, u16)> {
    table.lines().skip(1).filter_map(|line| {
        let fields: Vec<&str> = line.split_ascii_whitespace().collect();
        let [_, local, _, "0A", _, _, _, _, _, inode, ..] = fields.as_slice() else { return None };
        let (_, port) = local.rsplit_once(':')?;
        Some((inode.parse().ok()?, u16::from_str_radix(port, 16).ok()?))
    })
}

#[cfg(test)]
#[cfg(target_os = "linux")]
mod tests {
    use std::net::{TcpListener, TcpStream};

    use super::*;

    #[test]
    fn a_table_is_read_by_its_columns() {
        let table = "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n   \
             0: 0100007F:0BB8 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 4242 1 0 100 0 0 10 0\n   \
             1: 0100007F:0BB9 0100007F:0BB8 01 00000000:00000000 00:00000000 00000000  1000        0 4243 1 0 20 4 30 10 -1\n   \
             2: cut\n";
        assert_eq!(listeners(table).collect::<Vec<_>>(), [(4242, 3000)]);
    }

    #[test]
    fn our_own_listeners_are_found_and_no_connections() {
        let one = TcpListener::bind("127.0.0.1:0").unwrap();
        let other = TcpListener::bind("[::1]:0").ok();
        let port = one.local_addr().unwrap().port();
        let connected = TcpStream::connect(("127.0.0.1", port)).unwrap();
        let found = listening(&[std::process::id()]);
        assert!(found.contains(&port), "{found:?}");
        if let Some(other) = &other {
            assert!(found.contains(&other.local_addr().unwrap().port()), "{found:?}");
        }
        assert!(!found.contains(&connected.local_addr().unwrap().port()), "{found:?}");
        assert!(found.is_sorted());
        drop(one);
        assert!(!listening(&[std::process::id()]).contains(&port));
    }
}

import CPosterPostgres
import Flights

/// One of the hosts in a URL, such as a primary or one of its standbys.
///
/// libpq tries hosts in turn by itself, but without a deadline for each: one that drops packets would delay the others.
struct PostgresHost: Hashable {
    /// libpq's options for the host: name, address and port.
    let options: [Option]

    struct Option: Hashable {
        let keyword: String
        let value: String
    }

    /// Connects to the first host that accepts, with an equal share of the remaining time for each.
    static func connect(
        to url: String, statementMilliseconds: Int, deadline: UInt64
    ) throws(PostgresFailure) -> PostgresConnection {
        let hosts = Self.hosts(of: url)
        var reasons: [String] = []
        for (index, host) in hosts.enumerated() {
            let now = Uptime.nanoseconds()
            let share = deadline > now ? (deadline - now) / UInt64(hosts.count - index) : 0
            do throws(PostgresFailure) {
                return try PostgresConnection(
                    url: url, host: host, statementMilliseconds: statementMilliseconds, deadline: now + share)
            } catch {
                reasons.append(error.reason)
            }
        }
        guard reasons.isEmpty else { throw .unreachable(reasons.joined(separator: "; ")) }
        return try PostgresConnection(url: url, statementMilliseconds: statementMilliseconds, deadline: deadline)
    }

    /// The hosts of a URL with several hosts; empty otherwise.
    static func hosts(of url: String) -> [PostgresHost] {
        guard let list = PQconninfoParse(url, nil) else { return [] }
        defer { PQconninfoFree(list) }
        var values: [String: [Substring]] = [:]
        var entry = list
        while let keyword = entry.pointee.keyword {
            if let value = entry.pointee.val {
                values[String(cString: keyword)] = String(cString: value)
                    .split(separator: ",", omittingEmptySubsequences: false)
            }
            entry += 1
        }
        let count = max(values["host"]?.count ?? 0, values["hostaddr"]?.count ?? 0)
        guard count > 1 else { return [] }
        return (0..<count).map { index in
            PostgresHost(
                options: ["host", "hostaddr", "port"].compactMap { keyword in
                    // A single port applies to all hosts. libpq reports numbers that do not match.
                    guard let all = values[keyword], all.count == count || all.count == 1 else { return nil }
                    return Option(keyword: keyword, value: String(all[all.count == 1 ? 0 : index]))
                })
        }
    }
}

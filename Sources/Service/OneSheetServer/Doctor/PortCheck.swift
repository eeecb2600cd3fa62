import Glibc
import HTTPServer
import NIOCore
import NIOPosix
import OneSheetConfiguration

/// Binds each address that `serve` would listen on, and names the process that holds a busy one.
struct PortCheck {
    static let name = "ports"

    let listening: ListeningConfiguration
    let dataDirectory: String
    /// The `Server` field of a server at an address; `nil` if it does not answer.
    let serverName: @Sendable (ListenAddress) async -> String?

    var checks: [ServiceCheck] {
        let places: [ListenAddress]
        do {
            // Sockets of systemd exist in the service only.
            places = try self.listening.places(InheritedSockets(environment: [:], processID: 0))
        } catch {
            return [ServiceCheck(Self.name) { [CheckResult(.failure, "", "\(error): set --port.")] }]
        }
        let operations = self.listening.operationsPort.map { ListenAddress(.port(host: self.listening.host, $0)) }
        return (places + [operations].compactMap(\.self)).map { place in
            ServiceCheck(Self.name, place.description) { [try await self.result(place)] }
        }
    }

    private func result(_ place: ListenAddress) async throws -> CheckResult {
        let subject = place.description
        switch place.socket {
        case .inherited: return CheckResult(.skipped, subject, "Not examined: systemd holds the socket.")
        case .file(let path, _): return await self.unixSocket(path, place)
        case .port(_, 0): return CheckResult(.ok, subject, "The system will choose a free port.")
        case .port(let host, let port):
            do {
                let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                    .serverChannelOption(.socketOption(.so_reuseaddr), value: 1).bind(host: host, port: port).get()
                try await channel.close()
                return CheckResult(.ok, subject, "The port is free.")
            } catch let error as IOError where error.errnoCode == EADDRINUSE {
                let holders = try await Blocking.run { SocketHolders.ofPort(port) }
                return await self.busy(place, holders)
            } catch let error as IOError {
                let reason = String(cString: strerror(error.errnoCode))
                return CheckResult(
                    .failure, subject,
                    error.errnoCode == EACCES
                        ? "Ports below 1024 need the capability CAP_NET_BIND_SERVICE: grant it, or use another --port."
                        : "The address cannot be used (\(reason)): set --host to an address of this machine.")
            } catch {
                return CheckResult(.failure, subject, "The address cannot be used (\(error)): check --host.")
            }
        }
    }

    private func unixSocket(_ path: String, _ place: ListenAddress) async -> CheckResult {
        let subject = place.description
        var facts = stat()
        if lstat(path, &facts) == 0, facts.st_mode & S_IFMT != S_IFSOCK {
            return CheckResult(.failure, subject, "The file exists and is not a socket: choose another --unix-socket.")
        }
        if await self.serverName(place) != nil { return await self.busy(place, []) }
        let end = path.lastIndex(of: "/")
        let folder = end.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        guard access(folder, W_OK | X_OK) == 0 else {
            let reason = String(cString: strerror(errno))
            return CheckResult(
                .failure, subject, "No socket can be made in \(folder) (\(reason)): create it, or change its owner.")
        }
        return CheckResult(.ok, subject, "The socket can be made.")
    }

    /// - Parameter holders: The processes that listen there, as far as this user may know them.
    func busy(_ place: ListenAddress, _ holders: [SocketHolders.Process]) async -> CheckResult {
        let subject = place.description
        let own = try? ControlSocket.serverProcess(in: self.dataDirectory)
        if let own, holders.contains(where: { $0.id == own }) || holders.isEmpty {
            return CheckResult(
                .ok, subject, "The running server of this data directory listens there (process \(own)).")
        }
        let remedy = "stop it, or choose another with --port, --tls-port or --unix-socket"
        if let holder = holders.first(where: \.isOneSheet) ?? holders.first {
            let kind = holder.isOneSheet ? "another OneSheet" : "another program"
            return CheckResult(.failure, subject, "In use by \(kind), \(holder.description): \(remedy).")
        }
        let isOneSheet = await self.serverName(place) == HTTPFrontend.serverName
        let kind = isOneSheet ? "another OneSheet of another user" : "a program of another user"
        return CheckResult(.failure, subject, "In use by \(kind) (sudo ss -ltnp names it): \(remedy).")
    }
}

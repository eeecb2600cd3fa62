import Glibc
import HTTPServer
import NIOCore
import NIOPosix
import OneSheetConfiguration

/// Binds each address that `serve` would listen on, and names the process that holds a busy one. Does not connect to
/// sockets that systemd may hold, because that would start their services.
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
        case .file(let path, _): return try await self.unixSocket(path, place)
        case .port(_, 0): return CheckResult(.ok, subject, "The system will choose a free port.")
        case .port(let host, let port):
            do {
                // Names are resolved by a function that blocks.
                let address = try await Blocking.run {
                    try SocketAddress.makeAddressResolvingHost(host, port: port)
                }
                let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                    .serverChannelOption(.socketOption(.so_reuseaddr), value: 1).bind(to: address).get()
                try await channel.close()
                return CheckResult(.ok, subject, "The port is free.")
            } catch let error as IOError where error.errnoCode == EADDRINUSE {
                let holders = try await Blocking.run { SocketHolders.ofPort(port) }
                return try await self.busy(place, holders)
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

    private func unixSocket(_ path: String, _ place: ListenAddress) async throws -> CheckResult {
        let subject = place.description
        let (isInTheWay, holders) = try await Blocking.run { () -> (Bool, SocketHolders) in
            var facts = stat()
            guard lstat(path, &facts) == 0 else { return (false, SocketHolders(processes: [])) }
            return (facts.st_mode & S_IFMT != S_IFSOCK, SocketHolders.ofFile(path, owner: facts.st_uid))
        }
        if isInTheWay {
            return CheckResult(.failure, subject, "The file exists and is not a socket: choose another --unix-socket.")
        }
        if !holders.listeners.isEmpty { return try await self.busy(place, holders) }
        let end = path.lastIndex(of: "/")
        let folder = end.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        let refusal = try await Blocking.run {
            access(folder, W_OK | X_OK) == 0 ? nil : String(cString: strerror(errno))
        }
        if let refusal {
            return CheckResult(
                .failure, subject, "No socket can be made in \(folder) (\(refusal)): create it, or change its owner.")
        }
        return CheckResult(.ok, subject, "The socket can be made.")
    }

    /// - Parameter holders: The processes that listen there, as far as this user may know them.
    /// - Throws: `CancellationError`.
    func busy(_ place: ListenAddress, _ holders: SocketHolders) async throws -> CheckResult {
        let (subject, directory) = (place.description, self.dataDirectory)
        let own = try await Blocking.run { try? ControlSocket.serverProcess(in: directory) }
        let running = own.map {
            CheckResult(.ok, subject, "The running server of this data directory listens there (process \($0)).")
        }
        if let running, holders.processes.contains(where: { $0.id == own }) { return running }
        if holders.mayBeSystemd {
            return CheckResult(
                .skipped, subject,
                holders.processes.isEmpty
                    ? "Not asked: a socket unit of systemd, or another program of root, holds it (sudo ss -ltnp names "
                        + "it); if it is not the service's own, choose another address."
                    : "Not asked: a socket unit of systemd holds it, and a connection would start its service.")
        }
        let remedy = "stop it, or choose another with --port, --tls-port or --unix-socket"
        let others = holders.processes.filter { !$0.isSystemd }
        if let holder = others.first(where: \.isOneSheet) ?? others.first {
            let kind = holder.isOneSheet ? "another OneSheet" : "another program"
            return CheckResult(.failure, subject, "In use by \(kind), \(holder.description): \(remedy).")
        }
        // This user cannot see the holder: it may be the running server, or a server of another user.
        let isOneSheet = await self.serverName(place) == HTTPFrontend.serverName
        if isOneSheet, let running { return running }
        let kind = isOneSheet ? "another OneSheet of another user" : "a program of another user"
        return CheckResult(.failure, subject, "In use by \(kind) (sudo ss -ltnp names it): \(remedy).")
    }
}

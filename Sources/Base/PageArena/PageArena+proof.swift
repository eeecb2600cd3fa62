import Glibc

extension PageArena {
    /// Whether bytes that a socket has taken stay the same after their extent was freed, and others were stored at its
    /// addresses. Kernels and sandboxes differ in the pages that a socket refers to.
    func keepsBytesInFlight() -> Bool {
        var sockets: [CInt] = [-1, -1]
        let type = CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue) | CInt(SOCK_NONBLOCK.rawValue)
        guard socketpair(AF_UNIX, type, 0, &sockets) == 0 else { return false }
        defer { for socket in sockets { close(socket) } }
        let sent = [UInt8](repeating: 1, count: Self.leastLength)
        guard let first = sent.withUnsafeBytes({ self.store($0) })?.baseAddress else { return false }
        var offset = off_t(self.offset(of: first) ?? 0)
        let count = sendfile(sockets[0], self.descriptor, &offset, sent.count)
        self.free(first)
        let others = [UInt8](repeating: 2, count: Self.leastLength)
        guard let second = others.withUnsafeBytes({ self.store($0) }) else { return false }
        defer { if let start = second.baseAddress { self.free(start) } }
        var received = [UInt8](repeating: 0, count: sent.count)
        return second.baseAddress == first && second.elementsEqual(others) && count == sent.count
            && recv(sockets[1], &received, received.count, 0) == sent.count && received == sent
    }
}

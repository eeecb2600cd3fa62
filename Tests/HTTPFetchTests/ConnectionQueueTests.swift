import Testing

@testable import HTTPFetch

@Suite struct ConnectionQueueTests {
    private let heat = ConnectionQueue.Host(name: "heat.test", port: 443)
    private let ran = ConnectionQueue.Host(name: "ran.test", port: 443)

    @Test func thoseOfAFullHostWaitAndHoldNobodyElseUp() {
        var queue = makeQueue(perHost: 2)
        for id in 1...3 { queue.join(UInt64(id), host: self.heat) }
        queue.join(4, host: self.ran)
        queue.join(5, host: ConnectionQueue.Host(name: "heat.test", port: 8443))
        #expect(queue.admitAll() == [1, 2, 4, 5])
        queue.leave(2)
        #expect(queue.admitAll() == [3])
    }

    @Test func allHostsTogetherAreLimited() {
        var queue = makeQueue(total: 2)
        for id in 1...4 { queue.join(UInt64(id), host: id.isMultiple(of: 2) ? self.heat : self.ran) }
        #expect(queue.admitAll() == [1, 2])
        queue.leave(1)
        queue.leave(2)
        #expect(queue.admitAll() == [3, 4])
    }

    @Test func whoLeavesWhileWaitingIsNotAdmitted() {
        var queue = makeQueue(perHost: 1)
        for id in 1...3 { queue.join(UInt64(id), host: self.heat) }
        #expect(queue.admitAll() == [1])
        queue.leave(2)
        #expect(queue.admitAll().isEmpty, "it freed no connection")
        queue.leave(1)
        queue.leave(1)
        #expect(queue.admitAll() == [3], "leaving twice frees one connection")
    }

    @Test func limitsBelowOneAdmitOneAtATime() {
        var queue = makeQueue(total: 0, perHost: -1)
        queue.join(1, host: self.heat)
        queue.join(2, host: self.heat)
        #expect(queue.admitAll() == [1])
    }

    private func makeQueue(total: Int = 64, perHost: Int = 6) -> ConnectionQueue {
        var configuration = FetchConfiguration()
        configuration.maxConnections = total
        configuration.maxConnectionsPerHost = perHost
        return ConnectionQueue(configuration)
    }
}

extension ConnectionQueue {
    fileprivate mutating func admitAll() -> [UInt64] {
        var ids: [UInt64] = []
        while let id = self.admitNext() { ids.append(id) }
        return ids
    }
}

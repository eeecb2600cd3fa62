import Flights
import Testing

@testable import HTTPFetch

@Suite struct ConnectionQueueTests {
    private let heat = Origin.Key(scheme: "https", host: "heat.test", port: 443)
    private let ran = Origin.Key(scheme: "https", host: "ran.test", port: 443)

    @Test func thoseOfAFullHostWaitAndDelayNoOthers() {
        var queue = makeQueue(perHost: 2)
        for id in 1...3 { queue.join(UInt64(id), origin: self.heat) }
        queue.join(4, origin: self.ran)
        queue.join(5, origin: Origin.Key(scheme: "https", host: "heat.test", port: 8443))
        #expect(queue.admitAll() == [1, 2, 4, 5])
        queue.leave(2)
        #expect(queue.admitAll() == [3])
    }

    @Test func aLimitOfAHostAndPortIsItsOwn() {
        var configuration = FetchConfiguration()
        configuration.originLimits.maxConnections = 2
        configuration.originLimitsByHost["heat.test:443"] = configuration.originLimits
        configuration.originLimitsByHost["heat.test:443"]?.maxConnections = 1
        var queue = ConnectionQueue(configuration)
        for id in 1...3 {
            queue.join(UInt64(id), origin: self.heat)
            queue.join(UInt64(id + 10), origin: self.ran)
        }
        #expect(queue.admitAll() == [1, 11, 12])
    }

    @Test func allHostsTogetherAreLimited() {
        var queue = makeQueue(total: 5, perHost: 1)
        for id in 1...7 { queue.join(UInt64(id), origin: Origin.Key(scheme: "https", host: "\(id).test", port: 443)) }
        #expect(queue.admitAll() == [1, 2, 3, 4, 5])
        queue.leave(1)
        queue.leave(2)
        #expect(queue.admitAll() == [6, 7])
    }

    @Test func aTransferThatLeavesWhileWaitingIsNotAdmitted() {
        var queue = makeQueue(perHost: 1)
        for id in 1...3 { queue.join(UInt64(id), origin: self.heat) }
        #expect(queue.admitAll() == [1])
        queue.leave(2)
        #expect(queue.admitAll().isEmpty, "it freed no connection")
        queue.leave(1)
        queue.leave(1)
        #expect(queue.admitAll() == [3], "leaving twice frees one connection")
    }

    @Test func limitsBelowOneAdmitOneAtATime() {
        var queue = makeQueue(total: 0, perHost: -1)
        queue.join(1, origin: self.heat)
        queue.join(2, origin: self.heat)
        #expect(queue.admitAll() == [1])
    }

    @Test func theMostUrgentIsAdmittedFirst() {
        var queue = makeQueue(perHost: 1)
        let rising = Urgency(.warming)
        queue.join(1, origin: self.heat, level: .warming)
        queue.join(2, origin: self.heat, level: .revalidation)
        queue.join(3, origin: self.heat, urgency: rising)
        rising.raise(to: .interactive)
        var order: [UInt64] = []
        while let id = queue.admitNext() {
            order.append(id)
            queue.leave(id)
        }
        #expect(order == [3, 2, 1])
    }

    private func makeQueue(total: Int = 64, perHost: Int = 6) -> ConnectionQueue {
        var configuration = FetchConfiguration()
        configuration.maxConnections = total
        configuration.originLimits.maxConnections = perHost
        return ConnectionQueue(configuration)
    }
}

extension ConnectionQueue {
    fileprivate mutating func join(_ id: UInt64, origin: Origin.Key, level: Urgency.Level = .interactive) {
        self.join(id, origin: origin, urgency: Urgency(level))
    }

    fileprivate mutating func admitAll() -> [UInt64] {
        var ids: [UInt64] = []
        while let id = self.admitNext() { ids.append(id) }
        return ids
    }
}

package import ClusterState
import Flights
import OneSheetConfiguration
import PosterAPI
import PosterPipeline

/// The output of `onesheet status`.
package struct StatusReport: Codable, Hashable, Sendable {
    /// The node that answered the request.
    package var node: NodeRecord
    /// All nodes that use the same Redis; `nil` if they were not requested.
    package var nodes: [NodeRegistry.Listed]?
    /// Why ``nodes`` contains only ``node``.
    package var missingNodes: String?
    /// When the report was written, in seconds since 1970 by the clock of ``node``.
    package var writtenAt: Int64

    /// Replaces this node's entry by its current state. The entry may be missing, for example in a Redis that was
    /// restarted empty.
    package static func nodes(_ listed: [NodeRegistry.Listed], with own: NodeRecord) -> [NodeRegistry.Listed] {
        let others = listed.filter { node in
            node.record.map { $0.instance != own.instance } ?? (node.name != own.name)
        }
        let node = NodeRegistry.Listed(name: own.name, seenAt: own.seenAt, record: own)
        return (others + [node]).sorted { $0.name < $1.name }
    }
}

/// Describes this node to commands and to other nodes.
struct NodeStatus: Sendable {
    let name: String
    let instance: String
    let address: String
    let startedAt: Int64
    let status: @Sendable () -> ServiceStatus
    let secondsSince1970: @Sendable () -> Int64

    init(
        name: String, instance: String, address: String, status: @escaping @Sendable () -> ServiceStatus,
        secondsSince1970: @escaping @Sendable () -> Int64 = AnchoredClock.make()
    ) {
        self.name = name
        self.instance = instance
        self.address = address
        self.startedAt = secondsSince1970()
        self.status = status
        self.secondsSince1970 = secondsSince1970
    }

    var record: NodeRecord {
        let status = self.status()
        let readiness = Readiness(status)
        return NodeRecord(
            name: self.name, instance: self.instance, address: self.address, version: ProductVersion.current,
            startedAt: self.startedAt, seenAt: self.secondsSince1970(), isReady: readiness.isReady,
            reasons: readiness.reasonNames,
            events: status.events.map { events in
                NodeRecord.Events(
                    phase: events.phase, lagSeconds: events.lagSeconds, position: events.position,
                    pending: events.pending)
            },
            counters: NodeRecord.Counters(
                hits: status.pipeline.hits, renders: status.pipeline.renders, originals: status.disk.originals,
                variants: status.pipeline.variantCount, uploads: status.objectStore?.waiting),
            faults: status.faults.map {
                NodeRecord.Fault(engine: $0.engine.rawValue, since: $0.since, cause: $0.cause)
            })
    }
}

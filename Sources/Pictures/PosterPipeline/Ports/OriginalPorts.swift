/// The ports of originals: their locations, store and origins, and the coordination with other nodes.
package struct OriginalPorts: Sendable {
    let locator: any PosterLocator
    let store: any OriginalStore
    let source: any OriginalSource
    /// Let one of several nodes fetch an original; `nil` without other nodes.
    let leases: (any FetchLeases)?
    /// Publishes events of originals; `nil` without other nodes.
    let events: (any OriginalEventPublisher)?
    /// Blocks requests while it is closed; `nil` without other nodes.
    let gate: EventGate?

    /// Creates the ports, by default those of a node without others.
    package init(
        locator: any PosterLocator, store: any OriginalStore, source: any OriginalSource,
        leases: (any FetchLeases)? = nil, events: (any OriginalEventPublisher)? = nil, gate: EventGate? = nil
    ) {
        self.locator = locator
        self.store = store
        self.source = source
        self.leases = leases
        self.events = events
        self.gate = gate
    }
}

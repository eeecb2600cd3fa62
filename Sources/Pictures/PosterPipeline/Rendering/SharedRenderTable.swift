import Flights
import PosterCodec
import Synchronization

/// The render table of a pipeline, under a lock; used by its jobs and by decodes of arriving originals. Safe from any
/// thread.
final class SharedRenderTable: Sendable {
    typealias Table = RenderTable<Waiter<RenderedPoster>>

    private let table = Mutex(Table())

    func withLock<Value: Sendable>(_ body: (inout Table) -> Value) -> Value { self.table.withLock { body(&$0) } }

    var callerCount: Int { self.withLock { $0.callerCount } }

    /// The announced targets of a poster, as of ``WantedTargets/targets(of:)``.
    func wantedTargets(of id: PosterID) -> [WantedTargets.Wanted] { self.withLock { $0.wanted.targets(of: id) } }

    func isWanted(_ target: RenderTarget, of id: PosterID) -> Bool {
        self.withLock { $0.wanted.contains(target, of: id) }
    }

    func isWanted(_ id: PosterID) -> Bool { self.withLock { $0.wanted.isWanted(id) } }
}

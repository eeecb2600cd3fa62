import Flights
import Glibc
package import Logging
package import PosterCodec
package import PosterPipeline
import RebuildableDatabase
import Synchronization

/// Variants in files, one each, in a folder for each 256th of the posters.
///
/// The names of the files are the index: a folder is listed at its first use after a start, or in the background. Files are
/// verified at each use, and not synchronised to the disk: after a power failure those that are not whole are removed when
/// they are used. All that changes files is done by one task, step by step on the store's threads.
package final class DiskVariantStore: VariantStore {
    /// Limits of a store.
    package struct Configuration: Hashable, Sendable {
        /// Of all files, temporary ones included, in bytes; 1 GiB by default. 0 stores nothing, and removes what there is.
        package var byteBudget: Int
        /// Of variants that wait to be written; 256 by default. Beyond it, new ones are refused.
        package var queueLimit = 256
        /// The same in bytes; 16 MiB by default.
        package var queueByteLimit = DiskVariantStore.defaultQueueByteLimit

        package init(byteBudget: Int = 1 << 30) {
            self.byteBudget = byteBudget
        }
    }

    package static let defaultQueueByteLimit = 16 << 20

    let layout: VariantFileLayout
    let configuration: Configuration
    let threads: BoundedThreadPool
    let calls: FileSystemCalls
    let logger: Logger
    let writeFaults: FaultLog
    let readFaults: FaultLog
    let removalFaults: FaultLog
    let state: Mutex<VariantStoreState>
    /// Held while a folder is listed.
    let listing = Mutex(())

    /// Prepares the folder `variants` in a data directory.
    /// - Parameter threads: For all that reads and writes.
    package init(
        in data: DataDirectory, configuration: Configuration = Configuration(), threads: BoundedThreadPool,
        logger: Logger, secondsSince1970: @escaping @Sendable () -> Int64, calls: FileSystemCalls = .system
    ) throws(DataDirectory.Failure) {
        let layout = VariantFileLayout(path: data.path + "/variants")
        do throws(FileError) {
            try DataDirectory.create(layout.incoming)
            try layout.checkAccess()
        } catch {
            throw .unusable(error)
        }
        self.layout = layout
        self.configuration = configuration
        self.threads = threads
        self.calls = calls
        self.logger = logger
        self.writeFaults = FaultLog(
            "Variants cannot be stored; they are in memory only", logger: logger, secondsSince1970: secondsSince1970)
        self.readFaults = FaultLog(
            "Stored variants cannot be read; they are rendered again", logger: logger,
            secondsSince1970: secondsSince1970)
        self.removalFaults = FaultLog(
            "Stored variants cannot be deleted; none are stored until they can", logger: logger,
            secondsSince1970: secondsSince1970)
        self.state = Mutex(VariantStoreState(configuration))
    }

    /// Counts since the start, and current totals.
    package var counters: VariantDiskCounters { self.state.withLock { $0.totals } }

    /// Lists all folders in the background, removes what other versions and earlier processes have left, and what the budget
    /// does not allow.
    package func prepare() {
        self.submit { _ in }
    }

    package func mayContain(_ key: VariantKey) -> Bool {
        guard self.configuration.byteBudget > 0 else { return false }
        let id = VariantID(key)
        return self.state.withLock { $0.index.contains(id) || !$0.isListed[Int(id.folder)] }
    }

    package func store(_ poster: Poster, for key: VariantKey, cpuNanoseconds: UInt64, encoding: EncodingEffort) {
        guard self.configuration.byteBudget > 0 else { return }
        let header = VariantFileHeader(poster, for: key, cpuNanoseconds: cpuNanoseconds, encoding: encoding)
        let head: [UInt8]
        do {
            head = try VariantFile.head(header)
        } catch {
            // Texts and whole numbers are always encoded.
            self.writeFaults.begin(error)
            return
        }
        let name = VariantFileName(
            header, id: VariantID(key), owner: VariantOwner(key.id, digest: key.digest),
            length: VariantFile.length(head: head, picture: header.length))
        let variant = StoredVariant(poster: poster, cpuNanoseconds: cpuNanoseconds, encoding: encoding)
        self.submit { $0.add(name, VariantStoreState.Pending(head: head, variant: variant)) }
    }

    package func removeAll(of id: PosterID, digest: Digest) {
        let owner = VariantOwner(id, digest: digest)
        self.submit { $0.remove(.original(poster: owner.poster, original: owner.original)) }
    }

    package func removeAll(of id: PosterID) async {
        let done = Gate()
        self.submit { $0.remove(.poster(VariantOwner.poster(id)), done) }
        // A caller that is cancelled does not wait; the removal goes on.
        try? await done.wait()
    }

    package func removeAll(of sources: Set<String>) {
        self.submit { $0.remove(.sources(Set(sources.map(VariantOwner.source)))) }
    }

    package func removeAllHere() async {
        let done = Gate()
        self.submit { $0.remove(.all, done) }
        // A caller that is cancelled does not wait; the removal goes on.
        try? await done.wait()
    }

    /// Returns when all that was asked for until now is done.
    /// - Throws: `CancellationError`.
    func settle() async throws {
        let done = Gate()
        self.submit { $0.requests.append(VariantStoreState.Request(kind: .settle, done: done)) }
        try await done.wait()
    }

    /// Writes what waits, and takes nothing any more.
    package func close() async {
        self.state.withLock { $0.isClosed = true }
        // A task of its own: it goes on when the caller is cancelled.
        await Task { try? await self.settle() }.value
    }

    /// Changes the state, and starts the task that does what is to be done.
    func submit(_ change: (inout VariantStoreState) -> Void) {
        let begins = self.state.withLock { state in
            change(&state)
            defer { state.isWorking = true }
            return !state.isWorking
        }
        // Unstructured: it goes on when the client that the variant was rendered for has left. It ends by itself, and
        // nothing cancels it.
        if begins { Task(priority: .utility) { await self.work() } }
    }
}

/// What a store of variants has done since its start, and what it holds.
package struct VariantDiskCounters: Hashable, Sendable {
    /// Variants that are stored, or wait to be.
    package var count = 0
    /// Their space, in bytes.
    package var bytes = 0
    /// Variants that wait to be written.
    package var pending = 0
    package var writes = 0
    /// Variants that made room for others.
    package var evictions = 0
    /// Variants that were not stored because all others save more, because too many waited, or because of their size.
    package var refusals = 0
    /// Reads, writes and removals that failed.
    package var failures = 0
    /// Files that were removed because they were not as they had been written.
    package var damaged = 0
}

import Flights
import Glibc
package import Logging
package import PosterCodec
package import PosterPipeline
import RebuildableDatabase
import Synchronization

/// Stores each variant in a file, in 256 folders by fingerprint.
///
/// File names are the index: a folder is listed at its first use after a start, or in the background. Files are
/// verified at each use, and not synchronised to the disk: after a power failure, incomplete ones are removed when they
/// are used. A single task changes files, step by step on the store's threads.
package final class DiskVariantStore: VariantStore {
    package struct Configuration: Hashable, Sendable {
        /// Maximum space of all files in bytes; 1 GiB by default. 0 stores nothing, and removes existing files.
        package var byteBudget: Int
        /// Maximum number of queued writes; 256 by default. Beyond it, new variants are refused.
        package var queueLimit = 256
        /// Maximum size of queued writes in bytes; 16 MiB by default.
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
    /// - Parameter threads: Run all reads and writes.
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

    /// Lists all folders in the background, and removes remains of other versions and earlier processes, and variants
    /// beyond the budget.
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
            // Does not happen: texts and integers can always be encoded.
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
        // A cancelled caller does not wait; the removal continues.
        try? await done.wait()
    }

    package func removeAll(of sources: Set<String>) {
        self.submit { $0.remove(.sources(Set(sources.map(VariantOwner.source)))) }
    }

    package func removeAllHere() async {
        let done = Gate()
        self.submit { $0.remove(.all, done) }
        // A cancelled caller does not wait; the removal continues.
        try? await done.wait()
    }

    /// Waits until all earlier requests are done.
    /// - Throws: `CancellationError`.
    func settle() async throws {
        let done = Gate()
        self.submit { $0.requests.append(VariantStoreState.Request(kind: .settle, done: done)) }
        try await done.wait()
    }

    /// Performs queued writes, and rejects further ones.
    package func close() async {
        self.state.withLock { $0.isClosed = true }
        // In a separate task, so that it continues if the caller is cancelled.
        await Task { try? await self.settle() }.value
    }

    /// Changes the state, and starts the task that performs pending steps, unless it runs.
    func submit(_ change: (inout VariantStoreState) -> Void) {
        let begins = self.state.withLock { state in
            change(&state)
            defer { state.isWorking = true }
            return !state.isWorking
        }
        // Unstructured, so that it continues after the client for which the variant was rendered has left. It ends by
        // itself, and is never cancelled.
        if begins { Task(priority: .utility) { await self.work() } }
    }
}

/// Counts of a variant store since its start, and current totals.
package struct VariantDiskCounters: Hashable, Sendable {
    /// Variants stored or queued.
    package var count = 0
    /// Their space in bytes.
    package var bytes = 0
    /// Queued writes.
    package var pending = 0
    package var writes = 0
    /// Variants evicted for lack of room.
    package var evictions = 0
    /// Variants not stored because the others save more CPU time, the queue was full, or they were too large.
    package var refusals = 0
    /// Failed reads, writes and removals.
    package var failures = 0
    /// Files removed because they had changed.
    package var damaged = 0
}

import CodecWorkers
import Logging
import OneSheetConfiguration
import PosterAPI
import PosterCodec
import PosterOrigins
import PosterPipeline

/// The configured worker processes for decoding, and the quarantine of originals that ended them.
struct IsolatedCodec: Sendable {
    let workers: CodecWorkerPool?
    let quarantine: Quarantine?

    /// Starts the workers.
    ///
    /// - Parameters:
    ///   - folder: The data folder.
    ///   - disk: The threads that write the quarantine.
    /// - Throws: ``IsolationFailure`` if isolation is required and not available.
    init(
        _ configuration: ServeConfiguration, in folder: String, disk: BoundedThreadPool, logger: Logger,
        secondsSince1970: @escaping @Sendable () -> Int64
    ) throws {
        guard let pool = try Self.workers(configuration, logger) else {
            (self.workers, self.quarantine) = (nil, nil)
            return
        }
        self.workers = pool
        AtomicFile.removePartialFiles(in: folder)
        let file = QuarantineFile(in: folder)
        var entries: [Quarantine.Entry] = []
        do {
            entries = try file.read()
        } catch {
            logger.warning("The quarantine list cannot be read", metadata: ["error.message": "\(error)"])
        }
        let saver = QuarantineSaver(file: file, disk: disk, logger: logger)
        self.quarantine = Quarantine(
            seconds: configuration.quarantineSeconds, entries: entries, logger: logger,
            secondsSince1970: secondsSince1970, save: saver.save)
    }

    init(workers: CodecWorkerPool, quarantine: Quarantine?) {
        self.workers = workers
        self.quarantine = quarantine
    }

    private static func workers(_ configuration: ServeConfiguration, _ logger: Logger) throws -> CodecWorkerPool? {
        guard configuration.isolation != .thread else { return nil }
        let pool: CodecWorkerPool
        do throws(IsolationFailure) {
            pool = try CodecWorkerPool(
                threads: configuration.codecThreads, limits: configuration.codecLimits,
                isolation: configuration.isolation)
        } catch {
            guard configuration.isolation == .process else { throw error }
            logger.error(
                "Originals are decoded on threads, because worker processes cannot be started",
                metadata: ["error.message": "\(error)"])
            return nil
        }
        if !pool.features.missing.isEmpty {
            logger.warning(
                "The kernel lacks features of the workers' sandbox",
                metadata: ["missing": "\(pool.features.missing.joined(separator: ", "))"])
        }
        return pool
    }

    /// The configured limits; without workers, the formats that only they decode are refused.
    func limits(_ configured: CodecLimits) -> CodecLimits {
        var limits = configured
        if self.workers == nil { limits.inputFormats.removeAll(where: \.needsWorker) }
        return limits
    }

    var status: ServiceStatus.Isolation {
        guard let workers else { return ServiceStatus.Isolation(mode: Isolation.thread.rawValue) }
        let (counters, usage) = (workers.counters, workers.usage)
        let refused = self.quarantine?.usage
        return ServiceStatus.Isolation(
            mode: Isolation.process.rawValue, missing: workers.features.missing, workers: usage.count,
            busy: usage.busy, started: counters.started, jobs: counters.jobs, failures: counters.failures,
            killed: counters.killed, replaced: counters.replaced, quarantined: refused?.count ?? 0,
            refusals: refused?.refusals ?? 0)
    }
}

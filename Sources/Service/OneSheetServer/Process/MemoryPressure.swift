import Logging
import OneSheetConfiguration
import PosterAPI
import PosterCodec
import PosterPipeline

/// Decides how much memory decoded planes may take while the process has almost all that it may use. They are given up
/// first: what they save is time, and all else that memory is used for has clients that wait.
///
/// Nothing is kept under pressure. After ``calmLooks`` looks without it half the budget is given back, and all of it after
/// as many more.
struct MemoryPressure {
    /// How often memory is looked at.
    static let period = Duration.seconds(5)
    /// The share of the limit above which there is pressure, in percent.
    static let highPercentage = 90
    /// A minute.
    static let calmLooks = 12

    /// The memory that the process may use, in bytes.
    let limit: Int
    /// Of decoded planes, in bytes.
    let budget: Int
    /// What these may take now, in bytes.
    private(set) var allowed: Int
    private var calm = 0

    init(limit: Int, budget: Int) {
        self.limit = limit
        self.budget = budget
        self.allowed = budget
    }

    /// - Parameter residentBytes: The memory that the process has.
    /// - Returns: Whether ``allowed`` has changed, or nothing may be kept still.
    mutating func look(residentBytes: Int) -> Bool {
        guard residentBytes <= self.limit / 100 * Self.highPercentage else {
            self.calm = 0
            self.allowed = 0
            return true
        }
        guard self.allowed < self.budget else { return false }
        self.calm += 1
        guard self.calm == Self.calmLooks else { return false }
        self.calm = 0
        self.allowed = self.allowed == 0 ? self.budget / 2 : self.budget
        return true
    }
}

extension MemoryPressure {
    /// Applies the decisions to a cache.
    ///
    /// - Parameters:
    ///   - limit: The memory that the process may use; nil when that is not known.
    ///   - residentBytes: What it has.
    /// - Returns: nil when there is nothing to give up.
    static func service(
        _ planes: PlaneCache, limit: Int?, logger: Logger,
        residentBytes: @escaping @Sendable () -> Int = { ProcessStatistics.memory().residentBytes },
        sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
    ) -> BackgroundService? {
        guard let limit, planes.byteBudget > 0 else { return nil }
        return BackgroundService {
            var pressure = MemoryPressure(limit: limit, budget: planes.byteBudget)
            while true {
                try await sleep(Self.period)
                let (bytes, before) = (residentBytes(), pressure.allowed)
                guard pressure.look(residentBytes: bytes) else { continue }
                planes.relieve(to: pressure.allowed)
                if pressure.allowed == 0 { ProcessHeap.trim() }
                guard pressure.allowed != before else { continue }
                let metadata: Logger.Metadata = [
                    "resident": "\(bytes)", "limit": "\(limit)", "allowed": "\(pressure.allowed)",
                ]
                if pressure.allowed == 0 {
                    logger.warning("Memory runs short: decoded planes are given up", metadata: metadata)
                } else {
                    logger.notice("Memory suffices: decoded planes are kept again", metadata: metadata)
                }
            }
        }
    }
}

import HTTPSemantics
import Synchronization

/// The policy in force, which can be replaced while the service runs. Safe from any thread.
public final class PicturePolicies: Sendable {
    private let current: Mutex<PictureReader>
    private let number = Atomic<UInt64>(0)
    private let clock: @Sendable () -> Int64

    /// - Parameter secondsSince1970: What signatures end by; nil for the time of day.
    public init(_ policy: PicturePolicy = PicturePolicy(), secondsSince1970: (@Sendable () -> Int64)? = nil) {
        self.current = Mutex(PictureReader(policy: policy, generation: 0))
        self.clock = secondsSince1970 ?? { Int64(HTTPDate.currentSecond()) }
    }

    /// What is asked from now on is read by this policy.
    public func replace(_ policy: PicturePolicy) {
        self.current.withLock { reader in
            reader = PictureReader(policy: policy, generation: reader.generation + 1)
            self.number.store(reader.generation, ordering: .releasing)
        }
    }

    /// Reads by the policy in force.
    package var reader: PictureReader { self.current.withLock { $0 } }

    /// Changes whenever the policy does; costs a load.
    var generation: UInt64 { self.number.load(ordering: .acquiring) }

    /// As signatures count it, in seconds since 1970.
    var now: Int64 { self.clock() }

    /// The policy in force.
    public var policy: PicturePolicy { self.reader.policy }
}

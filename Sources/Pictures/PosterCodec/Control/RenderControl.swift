import CPosterCodecs
import Synchronization

/// Lets its owner stop a render and time its stages; the codec has no threads and no clock of its own.
public struct RenderControl: Sendable {
    /// Raised to end the render.
    public let stop: StopFlag
    /// The time in nanoseconds since any fixed moment.
    let now: @Sendable () -> UInt64
    /// The CPU time of the calling thread in nanoseconds.
    let cpuTime: @Sendable () -> UInt64

    /// - Parameters:
    ///   - now: The time in nanoseconds since any fixed moment; without one all timings are zero.
    ///   - cpuTime: The CPU time of the calling thread in nanoseconds; without one it is not limited.
    public init(
        stop: StopFlag = StopFlag(), now: @escaping @Sendable () -> UInt64 = { 0 },
        cpuTime: @escaping @Sendable () -> UInt64 = { 0 }
    ) {
        self.stop = stop
        self.now = now
        self.cpuTime = cpuTime
    }
}

/// How long each stage of a render took, in nanoseconds of the control's clock.
public struct StageTimings: Hashable, Sendable {
    /// From bytes to planes at the decode scale.
    public internal(set) var decode: UInt64 = 0
    /// All planes, both directions, turning included.
    public internal(set) var resample: UInt64 = 0
    /// From planes to bytes.
    public internal(set) var encode: UInt64 = 0

    /// All zero.
    public init() {}
}

/// Tells a running render that nobody wants its result any more. Any thread may raise it.
public final class StopFlag: Sendable {
    private let flag = Atomic<Bool>(false)

    /// A flag that is not raised.
    public init() {}

    /// Raises the flag, for good.
    public func raise() {
        self.flag.store(true, ordering: .relaxed)
    }

    /// Whether the flag was raised.
    public var isRaised: Bool {
        self.flag.load(ordering: .relaxed)
    }
}

/// Decides whether a running render goes on: not when it was stopped, and not when it has used up its CPU time.
///
/// Decoders ask between groups of rows and between scans, encoders between rows of blocks.
final class RenderWatch {
    private let stop: StopFlag
    private let cpuTime: @Sendable () -> UInt64
    private let start: UInt64
    private let limit: UInt64
    /// Why the render ends; kept, because C only hears that it does.
    private(set) var verdict: CodecError?

    init(_ control: RenderControl, limits: CodecLimits) {
        self.stop = control.stop
        self.cpuTime = control.cpuTime
        self.start = control.cpuTime()
        self.limit = limits.maxCPUNanoseconds
    }

    /// - Throws: ``CodecError/stopped``, or ``CodecError/overLimit(_:value:limit:)`` for the CPU time in milliseconds.
    func check() throws(CodecError) {
        if self.ends { throw self.verdict ?? .stopped }
    }

    private var ends: Bool {
        if self.verdict != nil { return true }
        if self.stop.isRaised {
            self.verdict = .stopped
            return true
        }
        let used = self.cpuTime() &- self.start
        guard used > self.limit else { return false }
        self.verdict = .overLimit(.cpuTime, value: Int(used / 1_000_000), limit: Int(self.limit / 1_000_000))
        return true
    }

    /// For C, which must not keep it longer than this object lives.
    var handle: poster_watch {
        poster_watch(
            ask: { Unmanaged<RenderWatch>.fromOpaque($0).takeUnretainedValue().ends ? 1 : 0 },
            context: Unmanaged.passUnretained(self).toOpaque())
    }
}

import CPosterCodecs
import Synchronization

/// Stops a render and times its stages; the codec itself has neither threads nor a clock.
public struct RenderControl: Sendable {
    /// Ends the render when it is raised.
    public let stop: StopFlag
    let now: @Sendable () -> UInt64
    let cpuTime: @Sendable () -> UInt64

    /// - Parameters:
    ///   - now: The time in nanoseconds since a fixed moment; by default all timings are zero.
    ///   - cpuTime: The CPU time of the calling thread in nanoseconds; by default it is not limited.
    public init(
        stop: StopFlag = StopFlag(), now: @escaping @Sendable () -> UInt64 = { 0 },
        cpuTime: @escaping @Sendable () -> UInt64 = { 0 }
    ) {
        self.stop = stop
        self.now = now
        self.cpuTime = cpuTime
    }
}

/// The duration of each stage of a render, in nanoseconds of the control's clock.
public struct StageTimings: Hashable, Sendable {
    /// From bytes to planes at the decode scale.
    public package(set) var decode: UInt64 = 0
    /// Both passes of the resampler over all planes, colour conversion and transposition included.
    public package(set) var resample: UInt64 = 0
    /// From planes to bytes.
    public package(set) var encode: UInt64 = 0

    /// All zero.
    public init() {}

    static func + (left: StageTimings, right: StageTimings) -> StageTimings {
        var sum = left
        sum.decode += right.decode
        sum.resample += right.resample
        sum.encode += right.encode
        return sum
    }
}

/// Cancels a render. Any thread may raise it.
public final class StopFlag: Sendable {
    private let flag = Atomic<Bool>(false)
    /// Whether another process has raised the flag; `nil` if none can.
    private let isRaisedElsewhere: (@Sendable () -> Bool)?

    /// Creates a flag that is not raised.
    public init() {
        self.isRaisedElsewhere = nil
    }

    /// Creates a flag that another process can raise, too.
    package init(orElse isRaisedElsewhere: @escaping @Sendable () -> Bool) {
        self.isRaisedElsewhere = isRaisedElsewhere
    }

    /// Raises the flag; it cannot be lowered.
    public func raise() {
        self.flag.store(true, ordering: .relaxed)
    }

    /// Whether the flag was raised.
    public var isRaised: Bool {
        self.flag.load(ordering: .relaxed) || self.isRaisedElsewhere?() == true
    }
}

/// Ends a render that was stopped or has used up its CPU time, and holds the render's limits.
///
/// Polled by decoders between groups of rows and between scans, by encoders between rows of blocks.
final class RenderWatch {
    let limits: CodecLimits
    private let stop: StopFlag
    private let cpuTime: @Sendable () -> UInt64
    private let start: UInt64
    /// Stored because C code reports only that it was stopped.
    private var reason: CodecError?

    init(_ control: RenderControl, limits: CodecLimits) {
        self.stop = control.stop
        self.cpuTime = control.cpuTime
        self.start = control.cpuTime()
        self.limits = limits
    }

    /// - Throws: ``CodecError/stopped``, or ``CodecError/overLimit(_:value:limit:)`` for the CPU time in milliseconds.
    func check() throws(CodecError) {
        if self.ends { throw self.error }
    }

    /// Throws the error of a call of C code that failed.
    ///
    /// - Parameters:
    ///   - corrupt: The error of data that the library cannot decode or encode.
    ///   - misuse: The error of a call out of order or with values out of range.
    func check(
        _ status: poster_status, corrupt: @autoclosure () -> CodecError, misuse: @autoclosure () -> CodecError
    ) throws(CodecError) {
        switch status {
        case .ok, .hungry: return
        case .corrupt: throw corrupt()
        case .truncated: throw .truncated
        case .stopped: throw self.error
        case .tooManyScans: throw .overLimit(.scans, value: self.limits.maxScans &+ 1, limit: self.limits.maxScans)
        case .outOfMemory: throw .outOfMemory
        case .misuse: throw misuse()
        }
    }

    /// A control for decoding within the same render.
    var control: RenderControl { RenderControl(stop: self.stop, cpuTime: self.cpuTime) }

    private var error: CodecError { self.reason ?? .stopped }

    private var ends: Bool {
        if self.reason != nil { return true }
        if self.stop.isRaised {
            self.reason = .stopped
            return true
        }
        let (used, limit) = (self.cpuTime() &- self.start, self.limits.maxCPUNanoseconds)
        guard used > limit else { return false }
        self.reason = .overLimit(.cpuTime, value: Int(used / 1_000_000), limit: Int(limit / 1_000_000))
        return true
    }

    /// Passes a callback to C code, which may use copies of it for as long as this object lives.
    func withHandle<Result>(_ body: (UnsafePointer<poster_watch>) -> Result) -> Result {
        let handle = poster_watch(
            ask: { Unmanaged<RenderWatch>.fromOpaque($0).takeUnretainedValue().ends ? 1 : 0 },
            context: Unmanaged.passUnretained(self).toOpaque())
        return withUnsafePointer(to: handle, body)
    }
}

import CPosterCodecs

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

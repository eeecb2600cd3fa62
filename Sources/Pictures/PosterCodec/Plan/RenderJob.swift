/// The targets of one original that share a decode: a plain value, which another process can run.
public struct RenderJob: Hashable, Sendable {
    /// Maximum number of targets of a job; see ``JobControl``.
    public static let targetLimit = JobControl.targetLimit

    /// One result of a job.
    public struct Target: Hashable, Sendable {
        /// The requested picture.
        public let target: RenderTarget
        /// The urgency at the start of the job, from 0 (the least urgent) to 2.
        public let urgency: UInt8

        /// - Parameter urgency: 0...2.
        public init(_ target: RenderTarget, urgency: UInt8 = 0) {
            self.target = target
            self.urgency = min(urgency, 2)
        }
    }

    /// The header of the original.
    public let source: ImageHeader
    /// The original's size in bytes, on which the cost of decoding depends.
    public let byteCount: Int
    /// The results to render, 1...``targetLimit``.
    public let targets: [Target]
    /// The scale of the decode, at least the scale that each target requires alone.
    public let scale: DecodeScale
    /// The effort of the encoders.
    public var encoding = EncodingEffort.first
    /// The decoded planes to retain for other targets; `nil` retains none.
    public var retention: PlaneRetention?

    /// - Parameters:
    ///   - targets: 1...``targetLimit``.
    ///   - scale: Not less than the scale of any target alone.
    public init(source: ImageHeader, byteCount: Int, targets: [Target], scale: DecodeScale) {
        precondition((1...Self.targetLimit).contains(targets.count), "targets out of range")
        self.source = source
        self.byteCount = byteCount
        self.targets = targets
        self.scale = scale
    }

    /// The plan of one of the targets in this job.
    ///
    /// - Throws: As ``RenderPlan/init(_:target:limits:)``.
    public func plan(_ index: Int, limits: CodecLimits = .init()) throws(CodecError) -> RenderPlan {
        let own = try RenderPlan(
            self.source, target: self.targets[index].target, limits: limits, encoding: self.encoding)
        guard self.scale >= own.scale else {
            throw .internalError(reason: "a decode at \(self.scale) for a target that needs \(own.scale)")
        }
        return own.inJob(at: self.scale, isAlone: self.targets.count == 1, limits: limits)
    }

    /// The estimated memory of the job, excluding the original's bytes and the results.
    ///
    /// - Throws: As ``RenderPlan/init(_:target:limits:)``.
    package func memory(limits: CodecLimits) throws(CodecError) -> JobMemoryEstimate {
        var plans: [RenderPlan] = []
        for index in self.targets.indices { plans.append(try self.plan(index, limits: limits)) }
        return JobMemoryEstimate(plans, limits: limits).retaining(self.retention, of: self.source, scale: self.scale)
    }
}

/// The targets of one original that one decode serves: a plain value, which another process can run.
public struct RenderJob: Hashable, Sendable {
    /// The most targets of a job; see ``JobControl``.
    public static let targetLimit = JobControl.targetLimit

    /// One result of a job.
    public struct Target: Hashable, Sendable {
        /// What is rendered.
        public let target: RenderTarget
        /// How soon it is wanted when the job begins, 0...2 from the least urgent to the most.
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
    /// What is rendered, 1...``targetLimit``.
    public let targets: [Target]
    /// The scale of the decode: that of the target alone, or the largest that any target requires.
    public let scale: DecodeScale
    /// How much time the encoders may take.
    public var encoding = EncodingEffort.first
    /// The decoded planes that stay for other targets; nil for none.
    public var retention: PlaneRetention?

    /// - Parameters:
    ///   - targets: 1...``targetLimit``.
    ///   - scale: Not less than that of any target alone.
    public init(source: ImageHeader, byteCount: Int, targets: [Target], scale: DecodeScale) {
        precondition((1...Self.targetLimit).contains(targets.count), "targets out of range")
        self.source = source
        self.byteCount = byteCount
        self.targets = targets
        self.scale = scale
    }

    /// How one of the targets is rendered in this job.
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

    /// The estimated memory of the job beside the original's bytes and its results.
    ///
    /// - Throws: As ``RenderPlan/init(_:target:limits:)``.
    package func memory(limits: CodecLimits) throws(CodecError) -> JobMemoryEstimate {
        var plans: [RenderPlan] = []
        for index in self.targets.indices { plans.append(try self.plan(index, limits: limits)) }
        return JobMemoryEstimate(plans, limits: limits).retaining(self.retention, of: self.source, scale: self.scale)
    }
}

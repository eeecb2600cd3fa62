/// Wanted targets divided into jobs, with the reasons: a pure decision.
///
/// Targets share a decode, at the largest scale that one of them needs, unless that delays a more urgent one or costs
/// more than decodes of their own.
public struct DecodeSharing: Hashable, Sendable {
    /// Why a target shares a decode, or does not.
    public enum Reason: String, Hashable, Sendable, Codable {
        /// There is nothing to share with.
        case onlyOne
        /// In a job of several.
        case sharesDecode
        /// Its effort lets its decode leave out other data.
        case effort
        /// It would make a more urgent target's decode larger, or a less urgent one its own.
        case urgency
        /// Resampling from the shared rows costs more than a decode of its own.
        case cost
        /// All together exceed the limit of working memory.
        case memory
        /// There are more than ``RenderJob/targetLimit``.
        case count
    }

    /// A target of a job.
    public struct Member: Hashable, Sendable {
        /// In the targets that were divided.
        public let index: Int
        /// Why it is in this job.
        public let reason: Reason
    }

    /// A job, and where its targets come from.
    public struct Decode: Hashable, Sendable {
        /// What one decode serves.
        public let job: RenderJob
        /// One for each target of the job, in its order.
        public let members: [Member]
        /// The estimated memory of the job.
        public let memory: JobMemoryEstimate
    }

    /// Each target that can be planned is in one of them; the most urgent first.
    public let jobs: [Decode]
    /// Targets that cannot be planned, by index.
    public let failures: [Int: CodecError]

    /// - Parameters:
    ///   - byteCount: Of the original.
    ///   - memoryLimit: The most working memory of a job of several targets, in bytes; nil for the limits' own.
    public init(
        _ targets: [RenderJob.Target], of source: ImageHeader, byteCount: Int, limits: CodecLimits = .init(),
        memoryLimit: Int? = nil
    ) {
        self.init(
            targets, cost: DecodeCost(source: source, byteCount: byteCount), limits: limits,
            memoryLimit: min(memoryLimit ?? .max, limits.maxWorkingBytes))
    }

    /// - Parameter cost: With the original's header and size.
    init(_ targets: [RenderJob.Target], cost: DecodeCost, limits: CodecLimits, memoryLimit: Int) {
        let source = cost.source
        var failures: [Int: CodecError] = [:]
        var candidates: [SharingCandidate] = []
        for (index, target) in targets.enumerated() {
            do {
                let plan = try RenderPlan(source, target: target.target, limits: limits)
                candidates.append(SharingCandidate(index: index, target: target, plan: plan))
            } catch {
                failures[index] = error
            }
        }
        let drafts = SharingDivision(cost: cost, limits: limits, memoryLimit: memoryLimit).drafts(of: candidates)
        self.failures = failures
        self.jobs = drafts.map { draft in
            Decode(
                job: RenderJob(
                    source: source, byteCount: cost.byteCount, targets: draft.members.map(\.target), scale: draft.scale),
                members: draft.members.map { member in
                    Member(index: member.index, reason: draft.reason(of: member, among: candidates))
                },
                memory: JobMemoryEstimate(draft.plans, limits: limits))
        }
    }
}

/// The division of wanted targets into jobs, with the reasons: a pure decision.
///
/// Targets share a decode, at the largest scale that one of them needs, unless that delays a more urgent target or
/// costs more than separate decodes.
public struct DecodeSharing: Hashable, Sendable {
    /// Why a target shares a decode, or does not.
    public enum Reason: String, Hashable, Sendable, Codable {
        /// There is no other target.
        case onlyOne
        /// It shares a decode with other targets.
        case sharesDecode
        /// Its effort lets its decode leave out other data.
        case effort
        /// It would enlarge a more urgent target's decode, or a less urgent target would enlarge its own.
        case urgency
        /// Resampling from the shared rows costs more than a separate decode.
        case cost
        /// All targets together exceed the limit of working memory.
        case memory
        /// There are more targets than ``RenderJob/targetLimit``.
        case count
    }

    /// A target of a job.
    public struct Member: Hashable, Sendable {
        /// The index in the divided targets.
        public let index: Int
        /// Why it is in this job.
        public let reason: Reason
    }

    /// A job and the origin of its targets.
    public struct Decode: Hashable, Sendable {
        /// The job of the decode.
        public let job: RenderJob
        /// One per target of the job, in its order.
        public let members: [Member]
        /// The estimated memory of the job.
        public let memory: JobMemoryEstimate
    }

    /// The jobs, the most urgent first; each target that can be planned is in one of them.
    public let jobs: [Decode]
    /// The errors of targets that cannot be planned, by index.
    public let failures: [Int: CodecError]

    /// - Parameters:
    ///   - byteCount: The original's size in bytes.
    ///   - memoryLimit: Maximum working memory of a job of several targets, in bytes; `nil` for the limits' own.
    public init(
        _ targets: [RenderJob.Target], of source: ImageHeader, byteCount: Int, limits: CodecLimits = .init(),
        memoryLimit: Int? = nil
    ) {
        self.init(
            targets, cost: DecodeCost(source: source, byteCount: byteCount), limits: limits,
            memoryLimit: min(memoryLimit ?? .max, limits.maxWorkingBytes))
    }

    /// - Parameter cost: Contains the original's header and size.
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

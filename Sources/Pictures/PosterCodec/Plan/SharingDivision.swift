/// A target with the plan of a decode of its own.
struct SharingCandidate: Hashable {
    let index: Int
    let target: RenderJob.Target
    let plan: RenderPlan

    var urgency: UInt8 { self.target.urgency }

    /// Whether one decode may leave out the same data for both targets.
    func hasEffort(of other: SharingCandidate) -> Bool {
        self.plan.effort == other.plan.effort || !self.plan.hasScans
    }
}

/// The targets of one decode.
struct SharingDraft: Hashable {
    /// At least one, in the order of their indices.
    private(set) var members: [SharingCandidate]
    /// Why the members share with no others; `nil` if it follows from the members.
    var reason: DecodeSharing.Reason?
    private(set) var scale: DecodeScale
    /// The members' plans in a job of all members.
    private(set) var plans: [RenderPlan]

    init(_ members: [SharingCandidate], limits: CodecLimits) {
        self.members = members.sorted { $0.index < $1.index }
        let scale = DecodeScale.common(members.map(\.plan.scale), for: members[0].plan.source)
        self.scale = scale
        let isAlone = members.count == 1
        self.plans = self.members.map { $0.plan.inJob(at: scale, isAlone: isAlone, limits: limits) }
    }

    var urgency: UInt8 { self.members.map(\.urgency).max() ?? 0 }

    func reason(of member: SharingCandidate, among all: [SharingCandidate]) -> DecodeSharing.Reason {
        guard self.members.count == 1 else { return .sharesDecode }
        if let reason = self.reason { return reason }
        guard all.count > 1 else { return .onlyOne }
        let others = all.filter { $0.index != member.index && $0.hasEffort(of: member) }
        guard !others.isEmpty else { return .effort }
        let isHeldBack = others.contains { other in
            other.urgency > member.urgency && other.plan.scale < member.plan.scale
                || other.urgency < member.urgency && other.plan.scale > member.plan.scale
        }
        return isHeldBack ? .urgency : .cost
    }
}

/// Divides targets of one original into decodes.
struct SharingDivision {
    let cost: DecodeCost
    let limits: CodecLimits
    /// Maximum working memory of a job of several targets, in bytes.
    let memoryLimit: Int

    /// The decodes, the most urgent first, then the cheapest.
    func drafts(of candidates: [SharingCandidate]) -> [SharingDraft] {
        var rest = candidates
        var drafts: [SharingDraft] = []
        while let first = rest.first {
            drafts += self.division(rest.filter { $0.hasEffort(of: first) })
            rest.removeAll { $0.hasEffort(of: first) }
        }
        drafts = drafts.flatMap(self.limited)
        let order = drafts.map { (urgency: $0.urgency, cost: self.cost.total($0.plans), index: $0.members[0].index) }
        return drafts.indices.sorted { left, right in
            let (a, b) = (order[left], order[right])
            return (b.urgency, a.cost, a.index) < (a.urgency, b.cost, b.index)
        }.map { drafts[$0] }
    }

    /// Divides targets of one effort. Less urgent targets may join the decodes of more urgent ones.
    private func division(_ candidates: [SharingCandidate]) -> [SharingDraft] {
        var drafts: [SharingDraft] = []
        for urgency in Set(candidates.map(\.urgency)).sorted(by: >) {
            self.add(candidates.filter { $0.urgency == urgency }, to: &drafts)
        }
        return drafts
    }

    /// Adds equally urgent targets at the least cost. Targets of one scale stay together, and only neighbouring scales
    /// share decodes, so the best division of the smallest scales is part of the best division of all.
    private func add(_ candidates: [SharingCandidate], to drafts: inout [SharingDraft]) {
        struct Best {
            var cost: Double
            /// The first scale of the last decode.
            var start: Int
            /// The decode that the members join; `nil` if they start a new one.
            var joined: Int?
        }
        let scales = Set(candidates.map(\.plan.scale)).sorted()
        let classes = scales.map { scale in candidates.filter { $0.plan.scale == scale } }
        var best = [Best(cost: 0, start: 0, joined: nil)]
        for end in 1...classes.count {
            var least = Best(cost: .infinity, start: 0, joined: nil)
            for start in 0..<end {
                let members = classes[start..<end].flatMap(\.self)
                for (index, draft) in drafts.enumerated() {
                    guard let added = self.costOfJoining(members, to: draft) else { continue }
                    let cost = best[start].cost + added
                    if cost < least.cost { least = Best(cost: cost, start: start, joined: index) }
                }
                let cost = best[start].cost + self.cost.total(SharingDraft(members, limits: self.limits).plans)
                if cost < least.cost { least = Best(cost: cost, start: start, joined: nil) }
            }
            best.append(least)
        }
        var end = classes.count
        while end > 0 {
            let members = classes[best[end].start..<end].flatMap(\.self)
            if let joined = best[end].joined {
                drafts[joined] = SharingDraft(drafts[joined].members + members, limits: self.limits)
            } else {
                drafts.append(SharingDraft(members, limits: self.limits))
            }
            end = best[end].start
        }
    }

    /// The cost that less urgent targets add to a decode; `nil` if they would slow its decoding down.
    private func costOfJoining(_ members: [SharingCandidate], to draft: SharingDraft) -> Double? {
        let joined = SharingDraft(draft.members + members, limits: self.limits)
        let effort = draft.members[0].plan.effort
        // libwebp takes equally long at any scale.
        let allowed = 1.01 * self.cost.decoding(at: draft.scale, effort: effort)
        guard self.cost.decoding(at: joined.scale, effort: effort) <= allowed else { return nil }
        return self.cost.total(joined.plans) - self.cost.total(draft.plans)
    }

    /// Divides a decode with too many targets or too much memory; the most urgent targets stay together.
    private func limited(_ draft: SharingDraft) -> [SharingDraft] {
        let members = draft.members.sorted { ($1.urgency, $0.index) < ($0.urgency, $1.index) }
        let limit = RenderJob.targetLimit
        if members.count > limit {
            return self.parts([Array(members.prefix(limit)), Array(members.dropFirst(limit))], reason: .count)
        }
        guard members.count > 1, self.memory(of: draft) > self.memoryLimit else { return [draft] }
        // Of the least urgent targets, the one that takes the most memory, or the last of several.
        let least = members.filter { $0.urgency == members[members.count - 1].urgency }
        let largest = least.max { ($0.plan.workingBytes, $0.index) < ($1.plan.workingBytes, $1.index) }
        return self.parts([[largest].compactMap(\.self), members.filter { $0 != largest }], reason: .memory)
    }

    /// - Parameter reason: The reason of targets that the division leaves alone.
    private func parts(_ parts: [[SharingCandidate]], reason: DecodeSharing.Reason) -> [SharingDraft] {
        parts.flatMap(self.division).flatMap { draft in
            var draft = draft
            draft.reason = reason
            return self.limited(draft)
        }
    }

    private func memory(of draft: SharingDraft) -> Int {
        JobMemoryEstimate(draft.plans, limits: self.limits).bytes
    }
}

import OneSheetConfiguration
import PosterCodec

/// The output of `render --explain` for several results.
struct JobReport: Encodable {
    struct Decode: Encodable {
        let scale: String
        /// Indices of the targets.
        let targets: [Int]
        /// The estimated memory in addition to original and results, in bytes.
        let workingBytes: Int

        init(_ decode: DecodeSharing.Decode, targets: [Int]) {
            self.scale = decode.job.scale.description
            self.targets = targets
            self.workingBytes = decode.memory.bytes
        }
    }

    struct Target: Encodable {
        struct Levels: Encodable {
            let luma, chroma: Int
        }

        /// Index among the outputs, in the order of the options.
        let index: Int
        let path: String
        let output: RenderReport.Plan.Output
        /// The scale of a decode for this target alone, and the scale of the actual decode.
        let ownScale, decodeScale: String
        let recipe: String
        /// How often rows are halved before they are filtered.
        let levels: Levels
        let residual: Double
        let reason: DecodeSharing.Reason
        var encodeMilliseconds: Double?
        var bytes: Int?
        var error: String?

        init(index: Int, path: String, plan: RenderPlan, ownScale: DecodeScale, reason: DecodeSharing.Reason) {
            self.index = index
            self.path = path
            self.output = .init(plan)
            self.ownScale = ownScale.description
            self.decodeScale = plan.scale.description
            self.recipe = plan.recipe.description
            self.levels = Levels(luma: plan.levels.luma, chroma: plan.levels.chroma)
            self.residual = (plan.residual * 1000).rounded() / 1000
            self.reason = reason
        }

        fileprivate var cells: [String] {
            let scale = self.ownScale == self.decodeScale ? self.ownScale : "\(self.ownScale) → \(self.decodeScale)"
            return [
                self.path, self.output.text, scale,
                "\(self.levels.luma), \(self.levels.chroma)", "\(self.residual)", self.reason.text,
                self.encodeMilliseconds.map { "\($0) ms" } ?? "–",
                self.bytes.map(ByteCount.describe) ?? self.error ?? "–",
            ]
        }
    }

    let source: RenderReport.Plan.Source
    var decodes: [Decode] = []
    var targets: [Target] = []
    let milliseconds: RenderReport.Milliseconds

    init(source: RenderReport.Plan.Source, milliseconds: RenderReport.Milliseconds) {
        self.source = source
        self.milliseconds = milliseconds
    }

    var text: String {
        let (source, time) = (self.source, self.milliseconds)
        let memory = self.decodes.map(\.workingBytes).max() ?? 0
        var table = TerminalTable([
            ("file", .left), ("output", .left), ("decode", .left), ("halved", .left), ("residual", .right),
            ("reason", .left), ("encode", .right), ("written", .right),
        ])
        for target in self.targets { table.add(target.cells) }
        let scales = self.decodes.map(\.scale).joined(separator: ", ")
        let decodes = "\(self.decodes.count) decode\(self.decodes.count == 1 ? "" : "s") at \(scales)"
        return """
            source    \(source.width)×\(source.height) \(source.format) \(source.description), orientation \(source.orientation)
            decodes   \(decodes) for \(self.targets.count) results
            memory    \(ByteCount.describe(memory)) estimated beside input and outputs

            \(table.lines(limit: nil).joined(separator: "\n"))

            probe     \(time.probe) ms, \(ByteCount.describe(source.bytes)) read
            decode    \(time.decode) ms
            resample  \(time.resample) ms
            encode    \(time.encode) ms, \(ByteCount.describe(self.targets.reduce(0) { $0 + ($1.bytes ?? 0) })) written
            total     \(time.total) ms
            """
    }
}

extension DecodeSharing.Reason {
    fileprivate var text: String {
        switch self {
        case .onlyOne: "decoded alone"
        case .sharesDecode: "shares its decode"
        case .effort: "alone: another effort"
        case .urgency: "alone: another urgency"
        case .cost: "alone: costs less"
        case .memory: "alone: memory"
        case .count: "alone: \(RenderJob.targetLimit) at once"
        }
    }
}

import OneSheetConfiguration
import PosterCodec

/// The output of `render --explain`.
struct RenderReport: Encodable {
    struct Plan: Encodable {
        struct Side: Encodable {
            let width: Int
            let height: Int
        }
        struct Source: Encodable {
            let format: String
            let width: Int
            let height: Int
            let orientation: Int
            let progressive: Bool
            let lossless: Bool
            let colorModel: String
            let alpha: Bool
            let subsampling: String?
            let bytes: Int

            var coding: String {
                switch self.format {
                case "jpeg": self.progressive ? "progressive" : "baseline"
                case "png": self.progressive ? "interlaced" : "plain"
                default: self.lossless ? "lossless" : "lossy"
                }
            }
        }
        struct Crop: Encodable {
            let position: String
            /// In pixels of the original as shown; nil where they are only found in the picture.
            let left: Double?
            let top: Double?
            let width: Double?
            let height: Double?

            init?(_ framing: Framing) {
                self.position = framing.position.rawValue
                switch framing.crop {
                case .none: return nil
                case .window(let across, let down):
                    (self.left, self.top) = (across.start, down.start)
                    (self.width, self.height) = (across.length, down.length)
                case .search: (self.left, self.top, self.width, self.height) = (nil, nil, nil, nil)
                }
            }

            var text: String {
                guard let left, let top, let width, let height else { return self.position }
                let numbers = [left, top, width, height].map { "\(($0 * 10).rounded() / 10)" }
                return "\(self.position), \(numbers[2])×\(numbers[3]) from (\(numbers[0]), \(numbers[1]))"
            }
        }
        struct Scans: Encodable {
            /// 0 where it was clear that all are read.
            let count: Int
            let dropped: [Int]
            let bytesSkipped: Int
            /// What luma keeps against reading everything, in dB, as estimated; nil where nothing is lost.
            let lumaFloor: Double?

            init(_ selection: JPEGScanSelection) {
                self.count = selection.scanCount
                self.dropped = selection.dropped.map { $0 + 1 }
                self.bytesSkipped = selection.skippedCount
                self.lumaFloor = selection.lumaFloor.isFinite ? (selection.lumaFloor * 10).rounded() / 10 : nil
            }

            var text: String {
                guard !self.dropped.isEmpty else { return "all read" }
                let names = self.dropped.map(String.init).joined(separator: ", ")
                let floor = self.lumaFloor.map { ", luma at least \($0) dB of reading all" } ?? ", nothing lost in luma"
                return "\(names) of \(self.count) not read, \(ByteCount.describe(self.bytesSkipped))\(floor)"
            }
        }
        struct Output: Encodable {
            let format: String
            let width: Int
            let height: Int
            /// nil where the format has none.
            let quality: Int?
        }
        let source: Source
        /// How much of each side the decoder delivers.
        let decodeScale: String
        let decoded: Side
        let residual: Double
        let crop: Crop?
        /// nil but for a progressive JPEG.
        let scans: Scans?
        let output: Output
        let workingBytes: Int

        init(_ plan: RenderPlan, sourceBytes: Int) {
            let header = plan.source
            self.source = Source(
                format: "\(header.format)", width: header.width, height: header.height,
                orientation: header.orientation.rawValue, progressive: header.isProgressive,
                lossless: header.isLossless, colorModel: header.colourModel.rawValue, alpha: header.hasAlpha,
                subsampling: header.subsampling, bytes: sourceBytes)
            self.decodeScale = plan.scale.description
            self.decoded = Side(
                width: plan.scale.decoded(header.width), height: plan.scale.decoded(header.height))
            self.crop = Crop(plan.framing)
            self.scans = plan.scans.map(Scans.init)
            self.residual = (plan.residual * 1000).rounded() / 1000
            self.output = Output(
                format: plan.format.rawValue, width: plan.size.width, height: plan.size.height,
                quality: plan.format == .png ? nil : plan.quality)
            self.workingBytes = plan.workingBytes
        }
    }

    struct Milliseconds: Encodable {
        var probe, decode, resample, encode, total: Double

        init(probe: UInt64, stages: StageTimings, total: UInt64) {
            // To the microsecond.
            func milliseconds(_ nanoseconds: UInt64) -> Double { (Double(nanoseconds) / 1000).rounded() / 1000 }
            self.probe = milliseconds(probe)
            self.decode = milliseconds(stages.decode)
            self.resample = milliseconds(stages.resample)
            self.encode = milliseconds(stages.encode)
            self.total = milliseconds(total)
        }

        /// The median of each stage by itself.
        static func medians(of all: [Milliseconds]) -> Milliseconds {
            var result = all[0]
            for stage in [\Milliseconds.probe, \.decode, \.resample, \.encode, \.total] {
                result[keyPath: stage] = all.map { $0[keyPath: stage] }.sorted()[all.count / 2]
            }
            return result
        }
    }

    let plan: Plan
    let milliseconds: Milliseconds
    let bytes: Int

    var text: String {
        let (source, output, time) = (self.plan.source, self.plan.output, self.milliseconds)
        let coding = "\(source.coding) \(source.subsampling ?? source.colorModel)"
        return """
            source    \(source.width)×\(source.height) \(source.format) \(coding), orientation \(source.orientation)
            decode    \(self.plan.decodeScale) → \(self.plan.decoded.width)×\(self.plan.decoded.height)
            crop      \(self.plan.crop?.text ?? "none")
            scans     \(self.plan.scans?.text ?? "not of a progressive JPEG")
            resample  Lanczos-3, residual \(self.plan.residual)
            output    \(output.width)×\(output.height) \(output.format)\(output.quality.map { " quality \($0)" } ?? "")
            memory    \(ByteCount.describe(self.plan.workingBytes)) estimated beside input and output

            probe     \(time.probe) ms, \(ByteCount.describe(source.bytes)) read
            decode    \(time.decode) ms
            resample  \(time.resample) ms
            encode    \(time.encode) ms, \(ByteCount.describe(self.bytes)) written
            total     \(time.total) ms
            """
    }
}

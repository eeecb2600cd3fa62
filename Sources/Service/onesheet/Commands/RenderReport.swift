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

            /// For example "baseline 4:2:0".
            var description: String { "\(self.coding) \(self.subsampling ?? self.colorModel)" }

            init(_ header: ImageHeader, bytes: Int) {
                self.format = header.format.name
                (self.width, self.height) = (header.width, header.height)
                self.orientation = header.orientation.rawValue
                (self.progressive, self.lossless) = (header.isProgressive, header.isLossless)
                self.colorModel = header.colourModel.rawValue
                self.alpha = header.hasAlpha
                self.subsampling = header.subsampling
                self.bytes = bytes
            }
        }
        struct Crop: Encodable {
            let position: String
            /// In pixels of the upright original; `nil` if the crop is found only in the decoded picture.
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
            /// The number of scans; 0 if it was clear without counting that all are read.
            let count: Int
            let dropped: [Int]
            let bytesSkipped: Int
            /// Estimated PSNR of luma against reading all scans, in dB; `nil` if nothing is lost.
            let lumaFloor: Double?

            init(_ selection: ScanSelection) {
                self.count = selection.scanCount
                self.dropped = selection.dropped.map { $0 + 1 }
                self.bytesSkipped = selection.skippedCount
                self.lumaFloor = selection.lumaFloor.isFinite ? (selection.lumaFloor * 10).rounded() / 10 : nil
            }

            var text: String {
                guard !self.dropped.isEmpty else { return "all read" }
                let names = self.dropped.map(String.init).joined(separator: ", ")
                let floor = self.lumaFloor.map { ", luma at least \($0) dB against all scans" } ?? ", luma is lossless"
                return "\(names) of \(self.count) not read, \(ByteCount.describe(self.bytesSkipped))\(floor)"
            }
        }
        struct Output: Encodable {
            let format: String
            let width: Int
            let height: Int
            /// The number of the encoder's scale; `nil` by likeness, and for PNG.
            let quality: Int?
            /// low, auto or high; `nil` for a fixed number, and for PNG.
            let likeness: String?

            init(_ plan: RenderPlan) {
                self.format = plan.format.rawValue
                (self.width, self.height) = (plan.size.width, plan.size.height)
                switch plan.quality {
                case _ where plan.format == .png: (self.quality, self.likeness) = (nil, nil)
                case .fixed(let number): (self.quality, self.likeness) = (number, nil)
                case .likeness(let likeness): (self.quality, self.likeness) = (nil, likeness.rawValue)
                }
            }

            var text: String {
                let quality = self.quality.map { " quality \($0)" } ?? self.likeness.map { " likeness \($0)" } ?? ""
                return "\(self.width)×\(self.height) \(self.format)\(quality)"
            }
        }
        let source: Source
        /// The decoder's scale of each side.
        let decodeScale: String
        let decoded: Side
        let residual: Double
        let crop: Crop?
        /// `nil` unless the original is a progressive JPEG.
        let scans: Scans?
        let output: Output
        let workingBytes: Int

        init(_ plan: RenderPlan, sourceBytes: Int) {
            let header = plan.source
            self.source = Source(header, bytes: sourceBytes)
            self.decodeScale = plan.scale.description
            self.decoded = Side(
                width: plan.scale.decoded(header.width), height: plan.scale.decoded(header.height))
            self.crop = Crop(plan.framing)
            self.scans = plan.scans.map(Scans.init)
            self.residual = (plan.residual * 1000).rounded() / 1000
            self.output = Output(plan)
            self.workingBytes = plan.workingBytes
        }
    }

    struct Milliseconds: Encodable {
        var probe, decode, resample, encode, total: Double

        init(probe: UInt64, stages: StageTimings, total: UInt64) {
            self.init(
                probe: probe, decode: stages.decode, resample: stages.resample, encode: stages.encode, total: total)
        }

        /// - Parameters: Nanoseconds.
        init(probe: UInt64, decode: UInt64, resample: UInt64, encode: UInt64, total: UInt64) {
            self.probe = Self.milliseconds(probe)
            self.decode = Self.milliseconds(decode)
            self.resample = Self.milliseconds(resample)
            self.encode = Self.milliseconds(encode)
            self.total = Self.milliseconds(total)
        }

        /// Rounded to microseconds.
        static func milliseconds(_ nanoseconds: UInt64) -> Double { (Double(nanoseconds) / 1000).rounded() / 1000 }

        /// The median of each stage separately.
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
        return """
            source    \(source.width)×\(source.height) \(source.format) \(source.description), orientation \(source.orientation)
            decode    \(self.plan.decodeScale) → \(self.plan.decoded.width)×\(self.plan.decoded.height)
            crop      \(self.plan.crop?.text ?? "none")
            scans     \(self.plan.scans?.text ?? "not of a progressive JPEG")
            resample  Lanczos-3, residual \(self.plan.residual)
            output    \(output.text)
            memory    \(ByteCount.describe(self.plan.workingBytes)) estimated beside input and output

            probe     \(time.probe) ms, \(ByteCount.describe(source.bytes)) read
            decode    \(time.decode) ms
            resample  \(time.resample) ms
            encode    \(time.encode) ms, \(ByteCount.describe(self.bytes)) written
            total     \(time.total) ms
            """
    }
}

import CCodecTesting

@testable import PosterCodec

extension [UInt8] {
    func probed() throws(CodecError) -> ProbeResult {
        try probe(self.span.bytes)
    }

    func header(limits: CodecLimits = .init()) throws(CodecError) -> ImageHeader {
        try inspect(self.span.bytes, limits: limits)
    }

    func plan(
        width: Int?, format: OutputFormat = .jpeg, limits: CodecLimits = .init()
    ) throws(CodecError) -> RenderPlan {
        try RenderPlan(self.header(limits: limits), target: RenderTarget(width: width, format: format), limits: limits)
    }

    func rendered(
        width: Int?, format: OutputFormat = .jpeg, limits: CodecLimits = .init(), control: RenderControl = .init(),
        kernel: ResampleKernel = .fastest
    ) throws(CodecError) -> RenderedPicture {
        let plan = try self.plan(width: width, format: format, limits: limits)
        return try self.rendered(as: plan, limits: limits, control: control, kernel: kernel)
    }

    func rendered(
        as plan: RenderPlan, limits: CodecLimits = .init(), control: RenderControl = .init(),
        kernel: ResampleKernel = .fastest
    ) throws(CodecError) -> RenderedPicture {
        let file = try renderFile(self.span.bytes, plan: plan, limits: limits, control: control, kernel: kernel)
        return RenderedPicture(bytes: file.bytes.array, size: plan.size, format: plan.format, timings: file.timings)
    }

    /// The input of the renderer's encoder.
    func decoded(
        as plan: RenderPlan, limits: CodecLimits = .init(), control: RenderControl = .init(),
        kernel: ResampleKernel = .fastest
    ) throws(CodecError) -> DownsampledPicture {
        try decodePicture(self.span.bytes, plan: plan, limits: limits, control: control, kernel: kernel)
    }

    /// The output's planes, before they are encoded.
    func planes(
        width: Int?, format: OutputFormat = .jpeg, effort: RenderTarget.Effort = .balanced,
        kernel: ResampleKernel = .fastest
    ) throws(CodecError) -> [Plane] {
        let target = RenderTarget(width: width, format: format, effort: effort)
        let plan = try RenderPlan(self.header(), target: target)
        return try self.decoded(as: plan.choosingScans(in: self.span.bytes), kernel: kernel).planes(for: plan)
    }

    /// The size in the VP8 frame header of a simple lossy WebP (RFC 6386, 9.1); `nil` for other files.
    var webPSize: [Int]? {
        guard self.count > 30, self.starts(with: "RIFF".utf8), self[8..<16].elementsEqual("WEBPVP8 ".utf8) else {
            return nil
        }
        guard self[23..<26].elementsEqual([0x9D, 0x01, 0x2A]) else { return nil }
        return [Int(self[26]) | Int(self[27] & 0x3F) << 8, Int(self[28]) | Int(self[29] & 0x3F) << 8]
    }
}

extension RenderedPicture {
    var encodedSize: [Int]? {
        switch self.format {
        case .jpeg, .png, .jxl: (try? self.bytes.header()).map { [$0.width, $0.height] }
        case .webp: self.bytes.webPSize
        case .avif: DecodedAVIF(self.bytes).map { [Int($0.header.width), Int($0.header.height)] }
        }
    }
}

extension Plane {
    /// The valid samples, row by row.
    var rows: [[UInt8]] {
        (0..<self.height).map { y in Array(self.samples[y * self.stride..<y * self.stride + self.width]) }
    }

    /// The smallest and the largest sample.
    var range: ClosedRange<UInt8> {
        let all = self.rows.flatMap(\.self)
        return (all.min() ?? 0)...(all.max() ?? 0)
    }

    /// The largest difference between two planes of the same size.
    func distance(to other: Plane) -> Int? {
        guard self.width == other.width, self.height == other.height else { return nil }
        return zip(self.rows, other.rows).flatMap { zip($0, $1).map { abs(Int($0) - Int($1)) } }.max() ?? 0
    }
}

extension OutputFormat {
    /// Formats for tests of other matters that encode very often: aom takes milliseconds for any picture.
    static let quick: [OutputFormat] = [.jpeg, .webp, .png]
}

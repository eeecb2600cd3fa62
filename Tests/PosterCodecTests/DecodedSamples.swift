import CodecTesting

@testable import PosterCodec

/// The result of decoding a JPEG, group by group.
struct DecodedSamples {
    /// The samples of the picture, without padding below.
    private(set) var samples: [UInt8] = []
    private(set) var error: CodecError?
    /// Whether this program decoded scans itself at first, and to the end.
    private(set) var beganWithScans = false
    private(set) var endedWithScans = false

    /// - Parameters:
    ///   - ranges: The parts of the file that are read; all of it if `nil`.
    ///   - ownScans: Whether the program may decode scans itself; otherwise libjpeg does.
    init(
        _ bytes: [UInt8], eighths: Int = 8, ranges: [Range<Int>]? = nil, ownScans: Bool, limits: CodecLimits = .init()
    ) {
        do {
            try bytes.withUnsafeBytes { buffer in
                var parser = JPEGParser(buffer)
                guard case .header(let header) = try parser.header() else { throw CodecError.truncated }
                let plan = try RenderPlan(header, target: RenderTarget(format: .jpeg), limits: limits)
                    .inJob(at: .eighths(eighths), isAlone: true, limits: limits)
                try self.decode(buffer, plan: plan, ranges: ranges, ownScans: ownScans, limits: limits)
            }
        } catch {
            self.error = error as? CodecError ?? .internalError(reason: "\(error)")
        }
    }

    private mutating func decode(
        _ bytes: UnsafeRawBufferPointer, plan: RenderPlan, ranges: [Range<Int>]?, ownScans: Bool, limits: CodecLimits
    ) throws(CodecError) {
        let watch = RenderWatch(.init(), limits: limits)
        var decoder = try JPEGDecoder(bytes, plan.decoding, watch: watch, ranges: ranges, ownScans: ownScans)
        self.beganWithScans = decoder.decodesScans
        let planes = decoder.layout.planes
        let group = planes.map { plane in
            let memory = UnsafeMutablePointer<UInt8>.allocate(capacity: plane.rowsPerGroup * plane.rowBytes)
            memory.initialize(repeating: 0, count: plane.rowsPerGroup * plane.rowBytes)
            return memory
        }
        defer { for plane in group { plane.deallocate() } }
        for index in 0..<decoder.layout.groupCount {
            guard try decoder.readGroup(into: group, strides: planes.map(\.rowBytes)) else { throw .truncated }
            for (plane, rows) in zip(planes, group) {
                let height = max(0, min(plane.rowsPerGroup, plane.height - index * plane.rowsPerGroup))
                self.samples += UnsafeBufferPointer(start: rows, count: height * plane.rowBytes)
            }
        }
        try decoder.finish()
        self.endedWithScans = decoder.decodesScans
    }
}

/// Retained planes as processes exchange them: their shapes, and the layout of their rows in the accompanying memory. A
/// colour profile follows the rows.
package struct PlanesRecord: Hashable, Sendable {
    /// The serialised ``PlaneLayout/PlaneShape``.
    package struct Shape: Hashable, Sendable {
        var width, height, rowBytes, rowsPerGroup: Int
        var across, down, scale: Double
    }

    /// The serialised ``PlaneModel/Colour``.
    enum Colour: UInt8, Hashable, Sendable {
        case gray, yCbCr, rgb, cmyk, ycck
    }

    /// The serialised ``YCbCrMatrix``.
    enum Matrix: UInt8, Hashable, Sendable {
        case bt601, bt709, bt2020, fcc, smpte240, displayP3, yCgCo
    }

    /// The serialised ``TransferCurve``; sRGB if the planes have none.
    enum Curve: UInt8, Hashable, Sendable {
        case sRGB, gamma, linear, pq, hlg
    }

    var shapes: [Shape]
    var levels: [Int]
    var groupCount: Int
    var colour: Colour
    var matrix: Matrix
    var isLimitedRange, hasAlpha: Bool
    var effort: RenderTarget.Effort?
    var convertsColours: Bool
    /// x and y of white, red, green and blue; empty if there are no declared primaries.
    var chromaticities: [Double]
    var curve: Curve
    /// The peak of PQ in cd/m², or the exponent of gamma; 0 for other curves.
    var curveValue: Double
    package var decodeNanoseconds: UInt64
    /// The size of the rows in bytes.
    package var byteCount: Int
    package var profileByteCount: Int

    /// Maximum number of planes: four inks, or three colours, and alpha.
    private static let shapeLimit = 5
    private static let sideLimit = 1 << 17

    /// Whether the shapes are possible and the memory has the size that they imply.
    ///
    /// - Parameter size: The size of the memory in bytes; `nil` if it is not known.
    package func isConsistent(size: Int?, limits: CodecLimits) -> Bool {
        guard (1...Self.shapeLimit).contains(self.shapes.count), self.levels.count == self.shapes.count,
            self.shapes.allSatisfy({ $0.isPossible(within: Self.sideLimit) }),
            self.levels.allSatisfy({ (0...RenderPlan.maxLevel).contains($0) }),
            (1...Self.sideLimit).contains(self.groupCount), self.layout.model.planeCount == self.shapes.count,
            self.shapes.allSatisfy({ $0.rowsPerGroup * self.groupCount <= Self.sideLimit }),
            [0, 8].contains(self.chromaticities.count), self.chromaticities.allSatisfy(\.isFinite),
            self.curve == .sRGB || self.chromaticities.count == 8,
            self.curve != .pq || (TransferCurve.referenceWhite...TransferCurve.pqPeak).contains(self.curveValue),
            self.curve != .gamma || TransferCurve.exponents.contains(self.curveValue),
            (0...limits.maxProfileBytes).contains(self.profileByteCount),
            self.byteCount == PlanePlaces.byteCount(self.layout, levels: self.levels)
        else { return false }
        return size ?? self.byteCount + self.profileByteCount == self.byteCount + self.profileByteCount
    }

    /// Whether a decode of the job retains planes of these shapes, according to the header of its original. Renders
    /// from them compute nothing that depends on the process that has written the record, except for samples.
    fileprivate func isResult(of job: RenderJob) -> Bool {
        let source = job.source
        let planes = DecodedPlane.planes(of: source, at: job.scale)
        guard let retention = job.retention,
            self.byteCount + self.profileByteCount <= retention.mostBytes(of: source, scale: job.scale),
            self.shapes.count == planes.count, self.hasAlpha == source.hasAlpha,
            self.levels == retention.levels(of: source, scale: job.scale),
            self.chromaticities.isEmpty || ColourPrimaries(self.chromaticities).spanTriangle
        else { return false }
        return zip(self.shapes, planes).allSatisfy { shape, plane in
            shape.scale == plane.scale && Self.isNear(shape.width, shape.across, side: source.width, plane.across)
                && Self.isNear(shape.height, shape.down, side: source.height, plane.down)
        }
    }

    /// Whether a side of the picture has this number of samples, but for the rounding of decoders. The last pixel must
    /// have a sample: weights beyond the last sample would have a sum near 0.
    ///
    /// - Parameters:
    ///   - perPixel: The record's samples per pixel.
    ///   - side: In pixels.
    ///   - expected: The samples per pixel by the header.
    private static func isNear(_ count: Int, _ perPixel: Double, side: Int, _ expected: Double) -> Bool {
        abs(Double(count) - Double(side) * expected) < 2 && abs(perPixel - expected) * Double(side) < 2
            && perPixel * Double(side) - Double(count) < 0.5
    }

    var layout: PlaneLayout {
        let planes = self.shapes.map { shape in
            PlaneLayout.PlaneShape(
                width: shape.width, height: shape.height, rowBytes: shape.rowBytes, rowsPerGroup: shape.rowsPerGroup,
                samplesPerPixel: (shape.across, shape.down), scale: shape.scale)
        }
        let model = PlaneModel(
            colour: PlaneModel.Colour(self.colour), matrix: YCbCrMatrix(self.matrix),
            isLimitedRange: self.isLimitedRange, hasAlpha: self.hasAlpha)
        return PlaneLayout(planes: planes, groupCount: self.groupCount, model: model)
    }
}

extension PlanesRecord.Shape {
    fileprivate func isPossible(within limit: Int) -> Bool {
        let sides = 1...limit
        let parts = [self.across, self.down, self.scale]
        // 1/65536 is far below the scale of any decoder.
        return sides.contains(self.width) && sides.contains(self.height) && sides.contains(self.rowBytes)
            && self.rowBytes >= self.width && sides.contains(self.rowsPerGroup)
            && parts.allSatisfy { $0 >= 1 / 65_536 && $0 <= 1 }
    }
}

extension PlanesRecord {
    /// - Parameter write: Appends bytes to the data for the other process and returns their offset.
    package init(
        exporting planes: RetainedPlanes, _ write: (UnsafeRawBufferPointer) throws(CodecError) -> Int
    ) throws(CodecError) {
        let (places, layout, model) = (planes.places, planes.layout, planes.layout.model)
        var chromaticities: [Double] = []
        var profile: [UInt8] = []
        var (curve, curveValue) = (Curve.sRGB, 0.0)
        switch planes.colourTag {
        case .sRGB: break
        case .profile(let bytes): profile = bytes
        case .chromaticities(let primaries): chromaticities = primaries.xy
        case .curved(let transfer, let primaries):
            chromaticities = primaries.xy
            (curve, curveValue) = Self.curve(transfer)
        }
        self.init(
            shapes: layout.planes.map { plane in
                Shape(
                    width: plane.width, height: plane.height, rowBytes: plane.rowBytes,
                    rowsPerGroup: plane.rowsPerGroup, across: plane.samplesPerPixel.across,
                    down: plane.samplesPerPixel.down, scale: plane.scale)
            }, levels: places.levels, groupCount: layout.groupCount, colour: Colour(model.colour),
            matrix: Matrix(model.matrix), isLimitedRange: model.isLimitedRange, hasAlpha: model.hasAlpha,
            effort: planes.effort, convertsColours: planes.convertsColours, chromaticities: chromaticities,
            curve: curve, curveValue: curveValue, decodeNanoseconds: planes.decodeNanoseconds,
            byteCount: places.bytes.count, profileByteCount: profile.count)
        guard try write(places.bytes) == 0 else { throw .internalError(reason: "the planes are not at offset 0") }
        if !profile.isEmpty { _ = try profile.span.bytes.withUnsafeBytes(write) }
    }
}

extension RetainedPlanes {
    /// A copy of planes that another process has decoded.
    ///
    /// - Parameters:
    ///   - record: Consistent.
    ///   - job: The job of the decode.
    ///   - read: Fills a buffer with the bytes at an offset of the other process's memory, and returns whether it did.
    /// - Returns: `nil` if the planes do not belong to `job` (``PlanesRecord/isResult(of:)``), cannot be read, or
    ///   without memory.
    package convenience init?(
        copying record: PlanesRecord, of job: RenderJob, pool: PlaneMemoryPool,
        _ read: (Int, UnsafeMutableRawBufferPointer) -> Bool
    ) {
        guard record.isResult(of: job), let memory = pool.take(record.byteCount),
            read(0, UnsafeMutableRawBufferPointer(start: memory.start, count: record.byteCount))
        else { return nil }
        var profile = [UInt8](repeating: 0, count: record.profileByteCount)
        guard profile.isEmpty || profile.withUnsafeMutableBytes({ read(record.byteCount, $0) }) else { return nil }
        self.init(
            record, of: job, colourTag: record.colourTag(profile),
            places: PlanePlaces(record.layout, levels: record.levels, filled: memory))
    }

    /// Planes that another process has decoded and this one reads.
    ///
    /// - Parameters:
    ///   - record: Consistent with `bytes`.
    ///   - job: A job of the same original and scale.
    ///   - bytes: Must outlive the planes.
    package convenience init(_ record: PlanesRecord, of job: RenderJob, reading bytes: UnsafeRawBufferPointer) {
        let memory = PlaneMemory(reading: UnsafeRawBufferPointer(rebasing: bytes.prefix(record.byteCount)))
        self.init(
            record, of: job, colourTag: record.colourTag([UInt8](bytes.dropFirst(record.byteCount))),
            places: PlanePlaces(record.layout, levels: record.levels, filled: memory))
    }
}

extension PlanesRecord {
    fileprivate func colourTag(_ profile: [UInt8]) -> ColourTag {
        if !profile.isEmpty { return .profile(profile) }
        guard self.chromaticities.count == 8 else { return .sRGB }
        let primaries = ColourPrimaries(self.chromaticities)
        return switch self.curve {
        case .sRGB: .chromaticities(primaries)
        case .gamma: .curved(.gamma(self.curveValue), primaries)
        case .linear: .curved(.linear, primaries)
        case .pq: .curved(.pq(peak: self.curveValue), primaries)
        case .hlg: .curved(.hlg, primaries)
        }
    }

    fileprivate static func curve(_ transfer: TransferCurve) -> (Curve, value: Double) {
        switch transfer {
        case .gamma(let exponent): (.gamma, exponent)
        case .linear: (.linear, 0)
        case .pq(let peak): (.pq, peak)
        case .hlg: (.hlg, 0)
        }
    }
}

extension PlaneModel.Colour {
    fileprivate init(_ colour: PlanesRecord.Colour) {
        switch colour {
        case .gray: self = .gray
        case .yCbCr: self = .yCbCr
        case .rgb: self = .rgb
        case .cmyk: self = .cmyk
        case .ycck: self = .ycck
        }
    }
}

extension PlanesRecord.Colour {
    fileprivate init(_ colour: PlaneModel.Colour) {
        switch colour {
        case .gray: self = .gray
        case .yCbCr: self = .yCbCr
        case .rgb: self = .rgb
        case .cmyk: self = .cmyk
        case .ycck: self = .ycck
        }
    }
}

extension YCbCrMatrix {
    fileprivate init(_ matrix: PlanesRecord.Matrix) {
        switch matrix {
        case .bt601: self = .bt601
        case .bt709: self = .bt709
        case .bt2020: self = .bt2020
        case .fcc: self = .fcc
        case .smpte240: self = .smpte240
        case .displayP3: self = .displayP3
        case .yCgCo: self = .yCgCo
        }
    }
}

extension PlanesRecord.Matrix {
    fileprivate init(_ matrix: YCbCrMatrix) {
        switch matrix {
        case .bt601: self = .bt601
        case .bt709: self = .bt709
        case .bt2020: self = .bt2020
        case .fcc: self = .fcc
        case .smpte240: self = .smpte240
        case .displayP3: self = .displayP3
        case .yCgCo: self = .yCgCo
        }
    }
}

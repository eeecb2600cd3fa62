import Testing

@testable import PosterCodec

/// Jobs and their results in messages between processes.
@Suite struct TransferTests {
    /// Checks that a value survives a transfer. All of its properties must differ from `other`'s: those omitted from a
    /// message would be equal.
    private func arrives<Value: MessageValue & Equatable>(_ value: Value, unlike other: Value) throws {
        let others = Dictionary(
            uniqueKeysWithValues: Mirror(reflecting: other).children.map { ($0.label ?? "", "\($0.value)") })
        for (label, property) in Mirror(reflecting: value).children {
            #expect(others[label ?? ""] != "\(property)", "\(Value.self).\(label ?? "")")
        }
        try #require(value != other)
        for value in [value, other] { #expect(try Self.sent(value) == value) }
    }

    private static func sent<Value: MessageValue>(_ value: Value) throws -> Value {
        var message = MessageWriter(capacity: 0)
        message.write(value)
        return try message.bytes.withUnsafeBytes { try MessageReader.read(Value.self, from: $0) }
    }

    private static let header = ImageHeader(
        format: .jpeg, width: 100, height: 150, bitDepth: 8, colourModel: .yCbCr, sampling: [], isProgressive: false,
        isMultiScan: true)

    private static let richHeader = ImageHeader(
        format: .webp, width: 101, height: 151, orientation: .turnedLeft, bitDepth: 10, colourModel: .palette,
        sampling: [.init(horizontal: 2, vertical: 1), .init(horizontal: 1, vertical: 1)], isProgressive: true,
        isMultiScan: false, isLossless: true, hasAlpha: true, frameCount: 2, hasICCProfile: true,
        prefixCodes: .init(groupCount: 3, colourCacheBits: 10), coding: Self.coding,
        extraChannelCount: 6, layerBytes: 7, profileBytes: 4, profileWorkingBytes: 5)

    private static let cells = HEIFCoding.Cells(
        width: 1, height: 2, columns: 3, rows: 4, bitDepth: 8, chromaShare: 1)

    private static let coding = HEIFCoding(
        colours: Self.cells, alpha: Self.cells, joinedBytes: 7, isPlain: true, heldPictures: 8, tileCount: 9)

    @Test("a header arrives with all that it says")
    func headers() throws {
        try self.arrives(Self.richHeader, unlike: Self.header)
        try self.arrives(
            ImageHeader.SamplingFactors(horizontal: 1, vertical: 2), unlike: .init(horizontal: 2, vertical: 1))
        try self.arrives(
            ImageHeader.PrefixCodes(groupCount: 1, colourCacheBits: 2),
            unlike: .init(groupCount: 2, colourCacheBits: 3))
        let cells = HEIFCoding.Cells(width: 2, height: 3, columns: 4, rows: 5, bitDepth: 10, chromaShare: 4)
        try self.arrives(Self.cells, unlike: cells)
        try self.arrives(
            Self.coding,
            unlike: HEIFCoding(
                colours: cells, alpha: nil, joinedBytes: 0, isPlain: false, heldPictures: nil, tileCount: nil))
    }

    @Test("a job arrives with its targets, and with what stays of its planes")
    func jobs() throws {
        let (plain, rich) = (RenderTarget(width: 1, height: 2, format: .jpeg), self.richTarget)
        try self.arrives(rich, unlike: plain)
        try self.arrives(RenderTarget.Background.white, unlike: .init(red: 1, green: 2, blue: 3))
        try self.arrives(RenderJob.Target(plain), unlike: .init(rich, urgency: 2))
        let scale = DecodeScale(numerator: 4, denominator: 8)
        try self.arrives(scale, unlike: .none)
        let job = RenderJob(source: Self.header, byteCount: 1, targets: [.init(plain)], scale: .none)
        var other = RenderJob(source: Self.richHeader, byteCount: 2, targets: [.init(rich)], scale: scale)
        other.encoding = .refined
        other.retention = try Self.retention(of: 50)
        try self.arrives(other, unlike: job)
        try self.arrives(try Self.retention(of: 50), unlike: try Self.retention(of: 40))
    }

    private var richTarget: RenderTarget {
        RenderTarget(
            width: nil, height: 3, fit: .cover, position: .attention, format: .avif, quality: 7,
            background: .init(red: 1, green: 2, blue: 3), effort: .fast,
            effect: .duotone(dark: .white, light: .init(red: 3, green: 2, blue: 1)),
            badges: Badges([.init(text: "8.4", colour: .white)], position: .topLeft, style: .bar))
    }

    @Test func badgesWithinTheirLimitsArrive() throws {
        let badge = Badges.Badge(text: "4K", colour: .white)
        try self.arrives(badge, unlike: .init(text: "심야", colour: .init(red: 1, green: 2, blue: 3)))
        let character = "e" + String(repeating: "\u{301}", count: 7)
        let long = Badges.Badge(text: String(repeating: character, count: 24), colour: .white)
        try #require(long.text.utf8.count <= Badges.Badge.maxTextBytes)
        let most = Array(repeating: long, count: Badges.limit)
        for position in Badges.Position.allCases {
            for style in Badges.Style.allCases {
                let badges = try #require(Badges(most, position: position, style: style))
                let other = Badges(
                    [badge], position: position == .top ? .left : .top, style: style == .bar ? .pill : .bar)
                try self.arrives(badges, unlike: #require(other))
            }
        }
        func refused(_ badges: [Badges.Badge]) {
            var message = MessageWriter(capacity: 0)
            message.write(badges)
            message.write(Badges.Position.bottom)
            message.write(Badges.Style.pill)
            #expect(throws: MalformedMessage.self) {
                try message.bytes.withUnsafeBytes { _ = try MessageReader.read(Badges.self, from: $0) }
            }
        }
        refused([])
        refused(most + [badge])
        refused([.init(text: "", colour: .white)])
        refused([.init(text: String(repeating: "a", count: 25), colour: .white)])
        refused([.init(text: "e" + String(repeating: "\u{301}", count: 192), colour: .white)])
    }

    private static func retention(of width: Int) throws -> PlaneRetention {
        try #require(
            PlaneRetention(ladder: [width], source: Self.header, scale: .eighths(8), byteLimit: 1 << 30))
    }

    @Test("each choice arrives")
    func choices() throws {
        for fit in RenderTarget.Fit.allCases { #expect(try Self.sent(fit) == fit) }
        for position in RenderTarget.Position.allCases { #expect(try Self.sent(position) == position) }
        for effort in RenderTarget.Effort.allCases { #expect(try Self.sent(effort) == effort) }
        for format in OutputFormat.allCases { #expect(try Self.sent(format) == format) }
        for likeness in Likeness.allCases {
            #expect(try Self.sent(Quality.likeness(likeness)) == .likeness(likeness))
        }
        for format in ImageFormat.allCases { #expect(try Self.sent(format) == format) }
        for orientation in Orientation.allCases { #expect(try Self.sent(orientation) == orientation) }
        #expect(try Self.sent(RenderTarget.Effect.blur) == .blur)
    }

    @Test("limits arrive")
    func limits() throws {
        var limits = CodecLimits()
        (limits.maxBytes, limits.maxWidth, limits.maxHeight, limits.maxPixels, limits.maxFrames) = (1, 2, 3, 4, 5)
        (limits.maxScans, limits.maxChunkBytes, limits.maxChunks, limits.maxPrefixCodeGroups) = (6, 7, 8, 9)
        (limits.maxGridCells, limits.maxItems, limits.maxCodedUnits, limits.maxCodedPictures) = (10, 11, 12, 13)
        (limits.maxProfileBytes, limits.maxWorkingBytes, limits.maxCPUNanoseconds) = (14, 15, .max)
        (limits.maxExtraChannels, limits.maxLayers, limits.inputFormats) = (16, 17, [.gif])
        try self.arrives(limits, unlike: CodecLimits())
    }

    @Test("what is said of pictures and planes arrives")
    func records() throws {
        var timings = StageTimings()
        let none = PictureRecord(index: 0, kind: .file, shapes: [], offset: 0, byteCount: 1)
        (timings.decode, timings.resample, timings.encode) = (1, 2, 3)
        let shape = PictureRecord.Shape(width: 1, height: 2, channels: 3)
        try self.arrives(
            PictureRecord(
                index: 1, isShared: true, timings: timings, kind: .pixels, shapes: [shape], offset: 4, byteCount: 5),
            unlike: none)
        try self.arrives(shape, unlike: .init(width: 2, height: 3))
        let plane = PlanesRecord.Shape(
            width: 1, height: 2, rowBytes: 3, rowsPerGroup: 4, across: 0.5, down: 0.25, scale: 0.125)
        try self.arrives(
            plane,
            unlike: .init(width: 2, height: 3, rowBytes: 4, rowsPerGroup: 5, across: 1, down: 1, scale: 1))
        let planes = PlanesRecord(
            shapes: [plane], levels: [1], groupCount: 2, colour: .gray, matrix: .bt601, isLimitedRange: false,
            hasAlpha: false, effort: nil, convertsColours: false, chromaticities: [], curve: .sRGB, curveValue: 0,
            decodeNanoseconds: 3, byteCount: 4, profileByteCount: 5)
        let others = PlanesRecord(
            shapes: [], levels: [], groupCount: 3, colour: .ycck, matrix: .smpte240, isLimitedRange: true,
            hasAlpha: true, effort: .full, convertsColours: true, chromaticities: [0.5, -1], curve: .pq,
            curveValue: 400, decodeNanoseconds: .max, byteCount: 5, profileByteCount: 6)
        try self.arrives(planes, unlike: others)
    }

    @Test("cut and lengthened bytes, cases that do not exist and counts without elements are errors")
    func malformed() throws {
        var message = MessageWriter(capacity: 0)
        message.write([Self.richHeader.sampling, []])
        for count in message.bytes.indices {
            #expect(throws: MalformedMessage.self) {
                try message.bytes[..<count].withUnsafeBytes {
                    _ = try MessageReader.read([[ImageHeader.SamplingFactors]].self, from: $0)
                }
            }
        }
        func refused<Value: MessageValue>(_ bytes: [UInt8], as type: Value.Type) {
            #expect(throws: MalformedMessage.self) {
                try bytes.withUnsafeBytes { _ = try MessageReader.read(type, from: $0) }
            }
        }
        refused(message.bytes + [0], as: [[ImageHeader.SamplingFactors]].self)
        refused([2], as: Bool.self)
        refused([2], as: RenderTarget.Effect.self)
        refused([9, 0, 0, 0, 0, 0, 0, 0], as: Orientation.self)
        refused([1, 0, 0, 0, 0, 0, 0, 0, 0x78], as: OutputFormat.self)
        refused([2, 0, 0, 0, 0, 0, 0, 0x80, 1, 1], as: [UInt8].self)
        refused([0, 0, 0, 0x80, 0, 0, 0, 0], as: Int32.self)
    }
}

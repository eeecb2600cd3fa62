import CodecTesting
import Testing

@testable import PosterCodec

/// Pictures with badges, on all ways to a file.
@Suite(.computingThread) struct BadgeRenderTests {
    static let badges = Self.badges(.init(red: 230, green: 0, blue: 120), .init(red: 0, green: 200, blue: 40))
    private static let grayBadges = Self.badges(.white, .init(red: 60, green: 60, blue: 60))

    private static func badges(_ colours: RenderTarget.Colour...) -> Badges? {
        Badges(colours.enumerated().map { Badges.Badge(text: "\($0 + 7).4", colour: $1) })
    }

    private static func picture(
        _ subsampling: FormulaPicture.Subsampling = .s420, width: Int = 300, height: Int = 450
    ) throws -> [UInt8] {
        try FormulaPicture.gradient(width: width, height: height, subsampling: subsampling).jpeg(quality: 90)
    }

    private static func plan(
        _ file: [UInt8], _ target: RenderTarget, _ encoding: EncodingEffort = .first
    ) throws -> RenderPlan {
        try RenderPlan(file.header(), target: target, encoding: encoding).choosingScans(in: file.span.bytes)
    }

    /// Expects the picture without badges, with the overlay blended into it once.
    private static func checkPicture(_ file: [UInt8], _ target: RenderTarget, _ comment: Comment) throws {
        let plan = try Self.plan(file, target)
        var plain = target
        plain.badges = nil
        let picture = try file.decoded(as: Self.plan(file, plain))
        let overlay = try #require(try plan.overlay())
        let badged = try file.decoded(as: plan)
        if plan.input != .pixels, case .planes(let planes) = picture {
            #expect(badged.planes(for: plan).map(\.samples) == overlay.blended(planes).map(\.samples), comment)
        } else {
            let (pixels, expected) = (badged.pixels(), overlay.blended(picture.pixels()))
            #expect(pixels.channels == expected.channels && pixels.samples == expected.samples, comment)
        }
    }

    @Test("badges are drawn once, over the crop and the effect", arguments: Orientation.allCases)
    func isDrawnOnce(orientation: Orientation) throws {
        for kind in FramedRenderTests.kinds {
            let file = FramedRenderTests.file(orientation, components: kind.components, segments: kind.segments)
            for format in OutputFormat.allCases {
                for badges in [Self.badges, Self.grayBadges] {
                    var targets = [
                        RenderTarget(format: format), RenderTarget(width: 60, format: format, quality: 95),
                        RenderTarget(
                            width: 60, format: format,
                            effect: .duotone(dark: .init(red: 9, green: 0, blue: 70), light: .white)),
                        RenderTarget(width: 80, format: format, effect: .blur),
                    ]
                    for position in RenderTarget.Position.allCases {
                        targets.append(
                            RenderTarget(width: 50, height: 50, fit: .cover, position: position, format: format))
                    }
                    for var target in targets {
                        target.badges = badges
                        try Self.checkPicture(file, target, "\(kind.name), \(target)")
                    }
                }
            }
        }
    }

    @Test("badges are drawn on pictures with alpha and of an odd size", arguments: OutputFormat.allCases, [0, 2, 4, 6])
    func drawsOnPNG(format: OutputFormat, colourType: Int) throws {
        let file = PNGFile(width: 121, height: 187, colourType: colourType).bytes
        for width in [121, 77, 9] {
            let target = RenderTarget(width: width, format: format, badges: Self.badges)
            try Self.checkPicture(file, target, "\(width)")
        }
    }

    @Test(
        "a streamed file is the file of the whole picture",
        arguments: [FormulaPicture.Subsampling.s420, .s422, .s444, .gray])
    func streams(subsampling: FormulaPicture.Subsampling) throws {
        for (width, height) in [(300, 450), (201, 333)] {
            let file = try Self.picture(subsampling, width: width, height: height)
            for badges in [Self.badges, Self.grayBadges] {
                for (format, quality) in [(OutputFormat.jpeg, 82), (.jpeg, 95), (.webp, 80)] {
                    let target = RenderTarget(width: width, format: format, quality: .fixed(quality), badges: badges)
                    let streamed = try StreamedRenderTests.streamed(file, target)
                    #expect(try streamed == StreamedRenderTests.whole(file, target), "\(format), \(quality)")
                }
            }
        }
    }

    @Test("converted pictures stream with their badges", arguments: [OutputFormat.jpeg, .webp], [0, 2, 6])
    func streamsConverted(format: OutputFormat, colourType: Int) throws {
        let file = PNGFile(width: 120, height: 187, colourType: colourType).bytes
        let target = RenderTarget(width: 91, format: format, badges: Self.badges)
        #expect(try StreamedRenderTests.streamed(file, target) == StreamedRenderTests.whole(file, target))
    }

    @Test(
        "files show their badges, of coloured and of gray originals", arguments: OutputFormat.allCases,
        [FormulaPicture.Subsampling.s420, .gray])
    func filesShowBadges(format: OutputFormat, subsampling: FormulaPicture.Subsampling) throws {
        let file = try Self.picture(subsampling)
        let png = RenderTarget(width: 300, format: .png)
        let plain = try file.pixels(png).rgba()
        for (quality, encoding) in [
            (.fixed(95), .first), (.likeness(.high), .first), (.likeness(.high), .refined),
        ] as [(Quality, EncodingEffort)] {
            let target = RenderTarget(width: 300, format: format, quality: quality, badges: Self.badges)
            let plan = try Self.plan(file, target, encoding)
            let overlay = try #require(try plan.overlay())
            let rendered = try file.rendered(as: plan).bytes.pixels().rgba()
            let badges = try #require(Self.badges)
            let piece = try #require(try BadgePainter.overlay(for: badges, width: 300, height: 450).pieces.first)
            let expected = overlay.blended(plain)
            // Halved chroma blurs the colours of glyphs.
            #expect(rendered.difference(from: expected, in: piece) <= 20, "\(quality), \(encoding)")
            #expect(rendered.difference(from: plain, in: piece) >= 40, "\(quality), \(encoding)")
        }
    }

    @Test("a gray picture with gray badges stays gray")
    func staysGray() throws {
        let file = try Self.picture(.gray)
        for (badges, model) in [(Self.grayBadges, ImageHeader.ColourModel.gray), (Self.badges, .yCbCr)] {
            let plan = try Self.plan(file, RenderTarget(width: 200, format: .jpeg, badges: badges))
            #expect(try file.rendered(as: plan).bytes.header().colourModel == model)
        }
    }

    @Test("targets that differ in badges only share a decode")
    func sharesDecodes() throws {
        let file = try Self.picture()
        let targets = OutputFormat.allCases.flatMap { format in
            [nil, Self.badges, Self.grayBadges].map { RenderTarget(width: 150, format: format, badges: $0) }
        }
        let sharing = DecodeSharing(
            targets.map { RenderJob.Target($0) }, of: try file.header(), byteCount: file.count)
        #expect(sharing.jobs.count == 1)
        let results = try file.rendered(sharing.jobs[0].job)
        for (index, target) in targets.enumerated() {
            #expect(try results[index] == .success(file.rendered(as: Self.plan(file, target)).bytes), "\(target)")
        }
        #expect(Set(results.values.compactMap { try? $0.get() }).count == targets.count)
    }

    @Test(
        "retained planes have no badges, and give targets theirs", arguments: [FormulaPicture.Subsampling.s420, .gray])
    func rendersFromPlanes(subsampling: FormulaPicture.Subsampling) throws {
        let file = try Self.picture(subsampling, width: 600, height: 900)
        let source = try file.header()
        var target = RenderJob.Target(RenderTarget(width: 300, format: .jpeg, badges: Self.badges))
        var job = RenderJob(source: source, byteCount: file.count, targets: [target], scale: .eighths(8))
        job.retention = PlaneRetention(ladder: [300], source: source, scale: job.scale, byteLimit: 1 << 30)
        let planes = try RetainedPlanesTests.planes(file, job)
        for format in OutputFormat.allCases {
            for badges in [nil, Self.badges] {
                target = RenderJob.Target(RenderTarget(width: 200, format: format, badges: badges))
                let control = JobControl(targetCount: 1)
                let decoded = try decodeJob(planes, job: planes.job([target]), control: control)
                let picture = try #require(decoded.pictures.next())
                let plan = try Self.plan(file, target.target).forJob(at: planes.scale, limits: .init())
                let expected = try file.rendered(as: plan).bytes
                #expect(try picture.encode(control: control).bytes.array == expected, "\(format)")
            }
        }
    }

    @Test("a picture that arrives in pieces has its badges", arguments: [1, 7])
    func arrivesInPieces(groupLimit: Int) throws {
        let file = try Self.picture()
        let job = try file.job(
            OutputFormat.quick.flatMap { format in
                [nil, Self.badges].map { RenderTarget(width: 200, format: format, badges: $0) }
            })
        let ends = Array(stride(from: 1000, to: file.count, by: 1000)) + [file.count]
        let results = try SteppedJobTests.results(file, job, ends: ends, groupLimit: groupLimit).0
        #expect(try results == file.rendered(job))
    }

    @Test("badges are opaque on a transparent picture", arguments: OutputFormat.allCases.filter(\.hasAlpha))
    func coversTransparency(format: OutputFormat) throws {
        var png = PNGFile(width: 300, height: 450, colourType: 6)
        png.sample = { _, _, _ in 0 }
        let target = RenderTarget(format: format, quality: 90, badges: Self.badges)
        let plan = try Self.plan(png.bytes, target)
        let expected = try png.bytes.decoded(as: Self.plan(png.bytes, RenderTarget(format: .png, badges: Self.badges)))
            .pixels()
        let pixels = try png.bytes.rendered(as: plan).bytes.pixels().rgba()
        let covered = (0..<450).flatMap { y in (0..<300).map { (x: $0, y: y) } }
            .filter { expected[$0.x, $0.y][3] > 200 }
        #expect(!covered.isEmpty)
        for (x, y) in covered {
            #expect(abs(Int(pixels[x, y][3]) - Int(expected[x, y][3])) <= 32, "\(x), \(y)")
        }
    }

    @Test("badges change no decode, and add a bounded amount of memory")
    func plansBadges() throws {
        let file = try Self.picture(width: 1200, height: 1800)
        for format in OutputFormat.allCases {
            let plain = try Self.plan(file, RenderTarget(width: 300, format: format))
            let badged = try Self.plan(file, RenderTarget(width: 300, format: format, badges: Self.badges))
            #expect(plain != badged)
            #expect(plain.scale == badged.scale && plain.scans == badged.scans && plain.levels == badged.levels)
            #expect((1...128 << 10).contains(badged.workingBytes - plain.workingBytes))
        }
    }

    @Test("the description differs between all badges")
    func descriptions() {
        let red = RenderTarget.Colour(red: 255, green: 0, blue: 0)
        func badges(_ texts: [String], _ colour: RenderTarget.Colour = .white) -> Badges? {
            Badges(texts.map { Badges.Badge(text: $0, colour: colour) })
        }
        var all = [
            badges(["4K"]), badges(["4K"], red), badges(["4K", "4K"]), badges(["4K ffffff 2 4K"]),
            // Canonically equivalent texts.
            badges(["\u{E9}"]), badges(["e\u{301}"]),
        ]
        for position in Badges.Position.allCases {
            for style in Badges.Style.allCases {
                all.append(Badges([Badges.Badge(text: "8.1", colour: red)], position: position, style: style))
            }
        }
        #expect(Set(all).count == all.count)
        #expect(Set(all.map { $0?.description }).count == all.count)
        #expect(badges(["4K", "é"])?.description == "bottom pill ffffff 2 4K ffffff 2 é")
    }
}

extension PixelBuffer {
    /// The mean difference of the colours under a piece.
    fileprivate func difference(from other: PixelBuffer, in piece: PictureOverlay.Piece) -> Double {
        var sum = 0
        for y in piece.rows {
            for x in piece.columns {
                for (value, other) in zip(self[x, y].prefix(3), other[x, y]) { sum += abs(Int(value) - Int(other)) }
            }
        }
        return Double(sum) / Double(3 * piece.rows.count * piece.columns.count)
    }
}

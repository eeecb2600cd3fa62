import HTTPSemantics
package import PosterAPI
package import PosterCodec
package import PosterOrigins
import PosterPipeline

/// The settings for requests of pictures; signing keys are referenced by their file.
package struct PictureSettings {
    package var ladder: WidthLadder?
    package var formats: FormatOrder
    package var usesHints: Bool
    package var usesLikeness: Bool
    package var signKeyFile: String?
    package var requiresSignatures: Bool
    package var allowedURLs: [URLPrefix]
    /// Whether `text=` of badges needs no signature.
    package var allowsBadgeTexts: Bool
    /// The files of badges' fonts, in order of preference; empty for the default ones.
    package var badgeFonts: [String]
    /// The template of TMDB image URLs; `nil` if they are not served.
    package var tmdbImages: OriginTemplate?
    /// The template of YouTube video thumbnails; `nil` if they are not served.
    package var videoThumbnails: OriginTemplate?

    static let defaultTMDBImages = "https://image.tmdb.org/t/p/original/{key}"
    // The largest size that exists for every video: 480 × 360, with bars above and below a 16:9 frame.
    static let defaultVideoThumbnails = "https://i.ytimg.com/vi/{key}/hqdefault.jpg"

    init(_ settings: Settings) throws {
        self.ladder = try Self.ladder(settings)
        self.formats = try Self.formats(settings)
        self.usesHints = try settings.isOn("client-hints")
        self.usesLikeness = try settings.isOn("likeness", default: true)
        self.signKeyFile = settings.text("sign-key-file")
        self.requiresSignatures = try settings.isOn("require-signatures")
        self.allowedURLs = try Self.prefixes(settings.texts("allow-url"))
        self.allowsBadgeTexts = try settings.isOn("badge-text")
        self.badgeFonts = settings.texts("badge-font")
        self.tmdbImages = try Self.template("tmdb-images", settings, default: Self.defaultTMDBImages)
        self.videoThumbnails = try Self.template("video-thumbnails", settings, default: Self.defaultVideoThumbnails)
        guard self.badgeFonts.count <= BadgeFonts.fileLimit else {
            throw SettingError(
                option: "badge-font", value: self.badgeFonts.joined(separator: ","),
                allowed: "at most \(BadgeFonts.fileLimit) files")
        }
        guard !self.requiresSignatures || self.signKeyFile != nil else {
            throw SettingError(option: "require-signatures", value: "true", allowed: "only with --sign-key-file")
        }
    }

    /// Installs the fonts of badges in this process and in workers started later.
    ///
    /// - Throws: ``SettingError`` for a configured file that cannot be used.
    package func installBadgeFonts() throws(SettingError) {
        guard !self.badgeFonts.isEmpty else {
            BadgeFonts.installReadable(files: BadgeFonts.installedDebianFiles())
            return
        }
        do throws(BadgeFontError) {
            try BadgeFonts.install(files: self.badgeFonts)
        } catch {
            throw SettingError(option: "badge-font", value: error.file, allowed: "a font file; \(error.reason)")
        }
    }

    /// - Throws: `SigningKeys.Failure` if the file of keys is unusable.
    package func policy(effort: RenderTarget.Effort) throws -> PicturePolicy {
        var policy = PicturePolicy(effort: effort)
        policy.ladder = self.ladder
        policy.formats = self.formats
        policy.usesHints = self.usesHints
        policy.usesLikeness = self.usesLikeness
        policy.signingKeys = try self.signKeyFile.map { try SigningKeys(contentsOf: $0) }
        policy.requiresSignatures = self.requiresSignatures
        policy.allowedURLs = self.allowedURLs
        policy.allowsBadgeTexts = self.allowsBadgeTexts
        policy.servesTMDBImages = self.tmdbImages != nil
        policy.servesVideoThumbnails = self.videoThumbnails != nil
        return policy
    }

    private static func formats(_ settings: Settings) throws -> FormatOrder {
        let names = FormatOrder.choices.map(\.rawValue).joined(separator: ", ")
        return try settings.value("formats", allowed: "any of \(names), each once, separated by commas") { text in
            let parts = text.split(separator: ",", omittingEmptySubsequences: false)
            let formats = parts.compactMap { OutputFormat(rawValue: String($0.drop { $0 == " " })) }
            return formats.count == parts.count ? FormatOrder(formats) : nil
        } ?? FormatOrder()
    }

    /// - Returns: `nil` if the option is `off`.
    private static func template(
        _ option: String, _ settings: Settings, default usual: String
    ) throws -> OriginTemplate? {
        let text = settings.text(option) ?? usual
        guard text != "off" else { return nil }
        do {
            return try OriginTemplate(text)
        } catch {
            throw SettingError(
                option: option, value: text, allowed: "off, or https://host/path/{key}; \(error.reason)")
        }
    }

    private static func ladder(_ settings: Settings) throws -> WidthLadder? {
        let snaps = try settings.isOn("snap-widths")
        let widths = try Self.rungs("widths", settings)
        let heights = try Self.rungs("heights", settings)
        guard widths != nil || heights == nil else {
            throw SettingError(option: "heights", value: settings.text("heights") ?? "", allowed: "only with --widths")
        }
        let ladder = widths.flatMap { WidthLadder(rungs: $0, heights: heights ?? [], snaps: snaps) }
        guard ladder != nil || !snaps else {
            throw SettingError(option: "snap-widths", value: "true", allowed: "only with --widths")
        }
        return ladder
    }

    /// - Returns: `nil` if the option is absent.
    private static func rungs(_ option: String, _ settings: Settings) throws -> [Int]? {
        let (counts, sides) = (WidthLadder.counts, WidthLadder.widths)
        return try settings.value(
            option,
            allowed: "\(counts.lowerBound) to \(counts.upperBound) whole numbers from \(sides.lowerBound) to "
                + "\(sides.upperBound), ascending, separated by commas"
        ) { text in
            let parts = text.split(separator: ",", omittingEmptySubsequences: false).map { part in
                Int(part.drop { $0 == " " })
            }
            let rungs = parts.compactMap { $0 }
            return rungs.count == parts.count && WidthLadder.areRungs(rungs) ? rungs : nil
        }
    }

    private static func prefixes(_ texts: [String]) throws -> [URLPrefix] {
        guard texts.count <= URLPrefix.countLimit else {
            throw SettingError(
                option: "allow-url", value: "\(texts.count) URLs", allowed: "at most \(URLPrefix.countLimit)")
        }
        return try texts.map { text in
            do throws(RemoteURL.Malformed) {
                return try URLPrefix(text)
            } catch {
                throw SettingError(
                    option: "allow-url", value: text, allowed: "https://host[:port][/path][?]; this \(error.reason)")
            }
        }
    }
}

extension CodecLimits {
    /// The limits of a command that reads local files, including the size of the file.
    package init(ofFiles settings: Settings) throws {
        try self.init(settings)
        if let value = try settings.byteCount("max-bytes") { self.maxBytes = value }
    }

    init(_ settings: Settings) throws {
        self.init()
        if let formats = try InputFormats.read(settings) { self.inputFormats = formats }
        if let value = try settings.number("max-width", in: 1...1 << 31) { self.maxWidth = value }
        if let value = try settings.number("max-height", in: 1...1 << 31) { self.maxHeight = value }
        if let value = try settings.number("max-pixels", in: 1...1 << 32) { self.maxPixels = value }
        if let value = try settings.number("max-frames", in: 1...1_000_000) { self.maxFrames = value }
        if let value = try settings.number("max-scans", in: 1...10_000) { self.maxScans = value }
        if let value = try settings.byteCount("max-chunk-bytes") { self.maxChunkBytes = value }
        if let value = try settings.number("max-chunks", in: 1...100_000_000) { self.maxChunks = value }
        if let value = try settings.number("max-prefix-code-groups", in: 1...65536) {
            self.maxPrefixCodeGroups = value
        }
        if let value = try settings.number("max-grid-cells", in: 1...65536) { self.maxGridCells = value }
        if let value = try settings.number("max-items", in: 1...1_000_000) { self.maxItems = value }
        if let value = try settings.byteCount("max-profile-bytes") { self.maxProfileBytes = value }
        if let value = try settings.byteCount("max-render-memory") { self.maxWorkingBytes = value }
        if let value = try settings.seconds("max-render-time", in: 0.001...3600) {
            self.maxCPUNanoseconds = UInt64(value / .nanoseconds(1))
        }
    }
}

extension FreshnessPolicy {
    init(_ settings: Settings) throws {
        self.init()
        let range = 0...10 * 365 * 86_400
        if let value = try settings.number("original-ttl-min", in: range) { self.minimum = Int64(value) }
        if let value = try settings.number("original-ttl-max", in: range) { self.maximum = Int64(value) }
        if let value = try settings.number("original-ttl-default", in: range) { self.fallback = Int64(value) }
        if let value = try settings.number("stale-if-error", in: range) { self.staleIfError = Int64(value) }
        guard self.minimum <= self.maximum else {
            throw SettingError(
                option: "original-ttl-min", value: "\(self.minimum)",
                allowed: "seconds, at most --original-ttl-max (\(self.maximum))")
        }
    }
}

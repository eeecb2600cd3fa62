package import HTTPSemantics
package import HTTPServer
import PosterCodec
package import PosterPipeline

/// Builds URLs under the policy in force, and describes posters from the pipeline's caches, else from their sources.
package struct PipelinePictureURLs: PictureURLs {
    /// The maximum width of ``PosterObject/url``, in pixels.
    private static let plainWidth = 500
    /// The maximum width in ``PosterObject/srcset``, in pixels: enough to fill a screen of ratio 3.
    private static let widestWidth = 2000

    private let policies: ReloadablePicturePolicy
    private let urls: PosterURLBuilder
    private let pipeline: PosterPipeline?

    /// - Parameter pipeline: `nil` if no posters are served.
    package init(policies: ReloadablePicturePolicy, urls: PosterURLBuilder, pipeline: PosterPipeline?) {
        self.policies = policies
        self.urls = urls
        self.pipeline = pipeline
    }

    package var generation: UInt64 { self.policies.generation }

    package var acceptedHints: String? { self.policies.policy.usesHints ? ClientHints.accepted : nil }

    package var badgeChoices: BadgeChoices { self.policies.policy.badgeChoices }

    /// The smallest served width of at least `width` pixels, or the largest one.
    private func width(atLeast width: Int) -> Int { self.policies.policy.ladder?.rung(atLeast: width) ?? width }

    package func poster(
        _ id: PictureID, size: (width: Int, height: Int)?, widths: PictureWidths, badges: PictureBadges?,
        isMissing: @autoclosure () -> Bool
    ) throws(Problem) -> PosterObject? {
        let parser = self.policies.parser
        let name = try Name(id, parser.languages)
        let card = widths == .page ? id.language : nil
        let id = try parser.languages.id(name.id, name.selection)
        switch self.pipeline?.knownDescription(of: id) {
        case .missing: return nil
        case .picture(let picture):
            return try self.poster(
                id, name, picture, size: nil, widths: widths, card: card, badges: badges, parser.policy)
        case nil:
            if isMissing() { return nil }
            // The original may be on disk since an earlier run.
            self.pipeline?.describeInBackground([id])
            // Without a language it is unknown which of several posters the source's size belongs to.
            let isCertain = name.selection.language != nil || !parser.languages.haveSeveral(of: name.id)
            return try self.poster(
                id, name, nil, size: isCertain ? size : nil, widths: widths, card: card, badges: badges, parser.policy)
        }
    }

    /// The id and the parameters that identify a poster in URLs.
    private struct Name {
        let id: PosterID
        let selection: PosterSelection

        init(_ picture: PictureID, _ languages: PosterLanguages) throws(Problem) {
            self.id = try PosterID(picture)
            // Includes the server's own language, so that URLs keep their meaning when another one is configured.
            self.selection = PosterSelection(language: languages.haveSeveral(of: self.id) ? picture.language : nil)
        }
    }

    private func poster(
        _ id: PosterID, _ name: Name, _ known: KnownPicture?, size: (width: Int, height: Int)?,
        width: Int = Self.plainWidth, widths: PictureWidths, card: String? = nil, badges: PictureBadges? = nil,
        _ policy: PicturePolicy
    ) throws(Problem) -> PosterObject {
        let urls = self.urls.applying(policy)
        let version = known.map { PosterURLBuilder.version(of: $0.digest) }
        return try self.object(
            of: id, known, size: size, width: width, widths: widths, policy
        ) { width throws(Problem) in
            try urls.variant(
                of: name.id, name.selection, width: width, format: nil, version: version, badges: badges, card: card)
        }
    }

    /// - Parameters:
    ///   - known: The cached description; `nil` without one.
    ///   - size: Used without a cached description.
    ///   - width: The maximum width of ``PosterObject/url``, in pixels.
    ///   - widest: The maximum width in ``PosterObject/srcset``, in pixels; unlimited by default.
    ///   - kind: The kind of widths.
    private func object(
        of id: PosterID, _ known: KnownPicture?, size: (width: Int, height: Int)?, width: Int,
        widest: Int = .max, widths kind: PictureWidths = .standard, _ policy: PicturePolicy,
        _ url: (Int) throws(Problem) -> String
    ) throws(Problem) -> PosterObject {
        if let known, known.hashes == nil { self.pipeline?.describeInBackground([id]) }
        let size = known.map { (width: $0.width, height: $0.height) } ?? size
        // Backdrops in lists have no size, but are at least as wide as the caller's `widest`.
        let own = size?.width ?? (widest < Self.widestWidth ? widest : nil)
        let all = Self.widths(of: own.map { min($0, widest) }, ladder: policy.ladder, kind)
        let narrow = all.filter { $0 <= widest }
        let widths = narrow.isEmpty ? Array(all.prefix(1)) : narrow
        let candidates = try widths.map { width throws(Problem) in
            "\(try url(width)) \(min(width, size?.width ?? width))w"
        }
        var picture = PosterObject(
            url: try url(widths.last { $0 <= width } ?? widths.first ?? width),
            srcset: candidates.joined(separator: ", "), width: size?.width, height: size?.height)
        picture.color = known?.hashes?.dominantColour
        picture.thumbhash = known?.hashes?.thumbHash
        if kind == .page { picture.gradient = known?.hashes?.columnColours(3) }
        return picture
    }

    /// The cached description of a picture. Queues no work for a missing one: a page has dozens of pictures.
    private func known(_ id: PosterID) -> KnownPicture? {
        guard case .picture(let picture)? = self.pipeline?.knownDescription(of: id) else { return nil }
        return picture
    }

    /// The widths of a `srcset`, ascending, at least one: those that enlarge nothing, and one that gives the original's
    /// own width.
    ///
    /// - Parameters:
    ///   - own: The width of the upright original, in pixels; `nil` if unknown.
    ///   - ladder: The only permitted widths; `nil` permits all.
    ///   - kind: The kind of widths without a ladder.
    static func widths(of own: Int?, ladder: WidthLadder?, _ kind: PictureWidths = .standard) -> [Int] {
        let rungs = ladder?.rungs ?? kind.pixels
        guard let own else { return rungs }
        let widths = rungs.filter { $0 <= own }
        guard widths.last != own else { return widths }
        // Nothing is enlarged: a request for the next rung returns the original's own width.
        guard ladder == nil, !widths.isEmpty else { return widths + rungs.filter { $0 > own }.prefix(1) }
        let widest = min(own, Self.widestWidth)
        return widest > widths[widths.count - 1] ? widths + [widest] : widths
    }

    package func picture(_ id: PictureID, width: Int, badges: PictureBadges?) throws(Problem) -> String {
        let parser = self.policies.parser
        let name = try Name(id, parser.languages)
        return try self.urls.applying(parser.policy).variant(
            of: name.id, name.selection, width: self.width(atLeast: width), format: nil, version: nil, badges: badges)
    }

    package func picture(
        _ id: PictureID, size: (width: Int, height: Int)?, width: Int, widths: PictureWidths
    ) throws(Problem) -> PosterObject {
        let parser = self.policies.parser
        let name = try Name(id, parser.languages)
        let id = try parser.languages.id(name.id, name.selection)
        return try self.poster(id, name, self.known(id), size: size, width: width, widths: widths, parser.policy)
    }

    package func tmdbImage(
        _ file: String, size: (width: Int, height: Int)?, width: Int, widest: Int, widths: PictureWidths
    ) throws(Problem) -> PosterObject? {
        let policy = self.policies.policy
        guard policy.servesTMDBImages else { return nil }
        let urls = self.urls.applying(policy)
        let id = try PosterID(PictureID(source: PosterID.tmdbImageSource, key: file))
        return try self.object(
            of: id, self.known(id), size: size, width: width, widest: widest, widths: widths, policy
        ) { width throws(Problem) in
            try urls.tmdbImage(file, size: "w\(width)")
        }
    }

    package func videoThumbnail(_ key: String) throws(Problem) -> PosterObject? {
        let policy = self.policies.policy
        guard policy.servesVideoThumbnails else { return nil }
        let urls = self.urls.applying(policy)
        let id = try PosterID(PictureID(source: PosterID.videoThumbnailSource, key: key))
        let known = self.known(id)
        let version = known.map { PosterURLBuilder.version(of: $0.digest) }
        let thumbnail = VideoThumbnail(known)
        let crops = thumbnail.crops(ladder: policy.ladder)
        guard let widest = crops.last else {
            // The frame cannot be cropped: the picture keeps its bars.
            return try self.object(
                of: id, known, size: VideoThumbnail.size, width: VideoThumbnail.size.width, policy
            ) { width throws(Problem) in
                try urls.variant(of: id, PosterSelection(), width: width, format: nil, version: version)
            }
        }
        let links = try crops.map { crop throws(Problem) in
            try urls.crop(of: id, width: crop.width, height: crop.height, version: version)
        }
        // Colour and ThumbHash would describe the picture with its bars.
        return PosterObject(
            url: links[links.count - 1], srcset: zip(links, crops).map { "\($0) \($1.width)w" }.joined(separator: ", "),
            width: widest.width, height: widest.height)
    }

    package func remotePicture(_ url: String, side: Int?) -> String? {
        let policy = self.policies.policy
        guard let remote = try? RemoteURL(url) else { return nil }
        var target = "/proxy?url=\(PercentEncoding.encode(remote.text.utf8))"
        if let side {
            let side = self.width(atLeast: side)
            // A ladder without heights permits no squares.
            target += policy.ladder == nil ? "&w=\(side)&h=\(side)&fit=cover" : "&w=\(side)"
        }
        // With a signature the server accepts any URL; without one, only URLs that its policy allows.
        if let keys = policy.signingKeys { return try? keys.sign(target: target) }
        return policy.allows(remote) ? target : nil
    }
}

extension PosterID {
    fileprivate init(_ id: PictureID) throws(Problem) {
        do throws(Malformed) {
            try self.init(source: id.source, key: id.key)
        } catch {
            throw PictureRequest.malformed(error)
        }
    }
}

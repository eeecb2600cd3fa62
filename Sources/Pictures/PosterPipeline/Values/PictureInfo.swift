package import PosterCodec

/// The JSON description of a picture, for the service and the command line.
public struct PictureInfo: Encodable, Sendable {
    /// A file's name on the command line, a poster's id in the service.
    package let subject: String
    private let header: ImageHeader
    private let bytes: Int
    private let hashes: PictureHashes?
    private let digest: Digest?
    private let subjectKey: CodingKeys

    /// - Parameters:
    ///   - bytes: The length of the encoded file.
    ///   - hashes: `nil` if they were not requested.
    package init(path: String, header: ImageHeader, bytes: Int, hashes: PictureHashes?) {
        (self.subject, self.subjectKey) = (path, .path)
        (self.header, self.bytes, self.hashes, self.digest) = (header, bytes, hashes, nil)
    }

    /// - Parameters:
    ///   - bytes: The length of the encoded file.
    ///   - digest: The digest of the encoded file.
    package init(id: PosterID, header: ImageHeader, bytes: Int, digest: Digest, hashes: PictureHashes) {
        (self.subject, self.subjectKey) = (id.shortText, .id)
        (self.header, self.bytes, self.hashes, self.digest) = (header, bytes, hashes, digest)
    }

    private enum CodingKeys: CodingKey {
        case path, id, format, width, height, uprightWidth, uprightHeight, orientation, progressive, lossless,
            subsampling, colorModel, bitDepth,
            hasAlpha
        case frames, icc, prefixCodeGroups, bytes, digest, color, thumbhash, blurhash
    }

    /// Encodes the members that are known.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(self.subject, forKey: self.subjectKey)
        try container.encode(self.header.format.name, forKey: .format)
        try container.encode(self.header.width, forKey: .width)
        try container.encode(self.header.height, forKey: .height)
        try container.encode(self.header.uprightSize.width, forKey: .uprightWidth)
        try container.encode(self.header.uprightSize.height, forKey: .uprightHeight)
        try container.encode(self.header.orientation.rawValue, forKey: .orientation)
        try container.encode(self.header.isProgressive, forKey: .progressive)
        try container.encode(self.header.isLossless, forKey: .lossless)
        // Encoded even as null: clients may distinguish an absent member from null.
        try container.encode(self.header.subsampling, forKey: .subsampling)
        try container.encode(self.header.colourModel.rawValue, forKey: .colorModel)
        try container.encode(self.header.bitDepth, forKey: .bitDepth)
        try container.encode(self.header.hasAlpha, forKey: .hasAlpha)
        try container.encode(self.header.frameCount, forKey: .frames)
        try container.encode(self.header.hasICCProfile, forKey: .icc)
        try container.encodeIfPresent(self.header.prefixCodes?.groupCount, forKey: .prefixCodeGroups)
        try container.encode(self.bytes, forKey: .bytes)
        try container.encodeIfPresent(self.digest?.description, forKey: .digest)
        guard let hashes else { return }
        try container.encode(hashes.dominantColour, forKey: .color)
        try container.encode(hashes.thumbHash, forKey: .thumbhash)
        try container.encode(hashes.blurHash, forKey: .blurhash)
    }

    package var text: String {
        let header = self.header
        var parts = ["\(header.width)×\(header.height) \(header.format.rawValue)"]
        switch header.format {
        case .jpeg: parts[0] += header.isProgressive ? " progressive" : " baseline"
        case .png: parts[0] += header.isProgressive ? " interlaced" : ""
        default: parts[0] += header.isLossless ? " lossless" : " lossy"
        }
        parts[0] += " \(header.subsampling ?? header.colourModel.rawValue)"
        parts.append("\(header.bitDepth) bits")
        if header.hasAlpha { parts.append("alpha") }
        if header.frameCount > 1 { parts.append("\(header.frameCount) frames") }
        parts.append("orientation \(header.orientation.rawValue)")
        if header.hasICCProfile { parts.append("ICC profile") }
        if let hashes {
            parts += [hashes.dominantColour, "thumbhash \(hashes.thumbHash)", "blurhash \(hashes.blurHash)"]
        }
        return "\(self.subject): " + parts.joined(separator: ", ")
    }
}

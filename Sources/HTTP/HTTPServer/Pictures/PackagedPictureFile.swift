/// The names of packaged pictures among The Movie Database's image paths: `sample_nosferatu-1922.jpg` is the poster of
/// `nosferatu-1922`, and `sample_nosferatu-1922_2.jpg` the second picture of its gallery.
///
/// File names of The Movie Database contain no underscore.
package enum PackagedPictureFile {
    private static let prefix = "sample_"
    private static let suffix = ".jpg"
    /// Maximum length of the name before the dot, in bytes.
    private static let lengthLimit = 64

    /// - Returns: `nil` if the picture is not packaged, or its key is too long.
    package static func name(of id: PictureID) -> String? {
        let stem = self.prefix + id.key.replacing("~", with: "_")
        let name = stem + self.suffix
        guard stem.utf8.count <= self.lengthLimit, id.source == "sample", self.key(of: name[...]) == id.key else {
            return nil
        }
        return name
    }

    /// Returns the key of the picture with a name.
    ///
    /// - Returns: `nil` if no packaged picture can have the name.
    package static func key(of name: Substring) -> String? {
        guard name.utf8.count <= self.lengthLimit + self.suffix.utf8.count, name.hasPrefix(self.prefix),
            name.hasSuffix(self.suffix)
        else { return nil }
        let stem = name.dropFirst(self.prefix.count).dropLast(self.suffix.count)
        let parts = stem.split(separator: "_", omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count), !parts[0].isEmpty, parts[0].utf8.allSatisfy(self.isOfSlug) else {
            return nil
        }
        guard parts.count == 2 else { return String(parts[0]) }
        // Each picture has one name: no leading zeros.
        guard let number = Int(parts[1]), number > 0, String(number) == parts[1] else { return nil }
        return "\(parts[0])~\(number)"
    }

    private static func isOfSlug(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
            || byte == UInt8(ascii: "-")
    }
}

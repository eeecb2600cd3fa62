import HTTPSemantics
import PosterCodec

/// Parses the parameters of ``DetailsController``'s resources.
struct DetailsQuery {
    private let parameters: QueryParameters

    /// - Parameters:
    ///   - pairs: Decoded.
    ///   - known: The names of the resource's parameters.
    /// - Throws: ``Problem`` that names the parameter and the accepted values.
    init(_ pairs: [(name: String, value: String)], known: [String]) throws(Problem) {
        self.parameters = try QueryParameters(
            pairs, known: known, names: known.isEmpty ? "none" : known.joined(separator: ", "))
    }

    /// `widths`; by default those of the ladder, or ``Srcset/defaultWidths`` without a ladder.
    func widths(of ladder: WidthLadder?) throws(Problem) -> [Int] {
        guard let text = self.parameters["widths"] else { return ladder?.rungs ?? Srcset.defaultWidths }
        let parts = text.utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
        let widths = parts.prefix(Srcset.widthLimit + 1).compactMap { part in
            QueryParameters.number(String(decoding: Array(part), as: UTF8.self))
        }
        guard widths.count == parts.count, widths.count <= Srcset.widthLimit,
            widths.allSatisfy(PictureRequest.sides.contains)
        else {
            throw Problem(
                .invalidParameter,
                "widths must be 1 to \(Srcset.widthLimit) whole numbers of pixels from "
                    + "\(PictureRequest.sides.lowerBound) to \(PictureRequest.sides.upperBound), separated by commas")
        }
        guard let ladder else { return widths }
        return try widths.map { width throws(Problem) in try ladder.width(for: width) }
    }

    /// `format`; nil for `auto` and without one.
    func format(from formats: [OutputFormat]) throws(Problem) -> OutputFormat? {
        guard let text = self.parameters["format"], text != "auto" else { return nil }
        guard let format = OutputFormat(rawValue: text), formats.contains(format) else {
            let names = formats.map(\.rawValue)
            throw Problem(
                .invalidParameter,
                "format must be auto, \(names.dropLast().joined(separator: ", ")) or \(names.last ?? "")")
        }
        return format
    }

    /// `v`; nil without one.
    func version() throws(Problem) -> String? {
        try self.parameters.version()
    }
}

import PosterCodec

/// Reads the parameters of what is beside a poster. Synchronous, and free of any framework.
struct DetailsQuery {
    private let values: [String: String]

    /// - Parameter known: What the resource takes.
    /// - Throws: ``Problem`` that names the parameter and what is accepted.
    init(_ target: RequestTarget, known: [String]) throws(Problem) {
        var values: [String: String] = [:]
        for (name, value) in try target.parameters() {
            guard known.contains(name) else {
                let taken = known.isEmpty ? "no parameters" : known.joined(separator: ", ")
                throw Problem(
                    .invalidParameter, "'\(name.prefix(64))' is no parameter of this resource; it takes \(taken)")
            }
            guard values.updateValue(value, forKey: name) == nil else {
                throw Problem(.invalidParameter, "\(name) is given more than once")
            }
        }
        self.values = values
    }

    /// `widths`; those of ``Srcset/defaultWidths`` without one.
    func widths() throws(Problem) -> [Int] {
        guard let text = self.values["widths"] else { return Srcset.defaultWidths }
        let parts = text.utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
        let widths = parts.prefix(Srcset.widthLimit + 1).compactMap { part in
            part.allSatisfy { (48...57).contains($0) } ? Int(String(decoding: Array(part), as: UTF8.self)) : nil
        }
        guard widths.count == parts.count, widths.count <= Srcset.widthLimit,
            widths.allSatisfy(PosterQuery.sides.contains)
        else {
            throw Problem(
                .invalidParameter,
                "widths must be 1 to \(Srcset.widthLimit) whole numbers of pixels from "
                    + "\(PosterQuery.sides.lowerBound) to \(PosterQuery.sides.upperBound), separated by commas")
        }
        return widths
    }

    /// `format`; nil for `auto` and without one.
    func format(from formats: [OutputFormat]) throws(Problem) -> OutputFormat? {
        guard let text = self.values["format"], text != "auto" else { return nil }
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
        try PosterQuery.version(of: self.values)
    }
}

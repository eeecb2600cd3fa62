import FoundationEssentials
package import PosterPipeline

/// An event with its node and time, as written to the stream and to files.
package struct EventRecord: Hashable, Sendable {
    package let event: OriginalEvent
    package let node: String
    /// Identifies the node's process: different after each start.
    package let instance: String
    /// Seconds since 1970, by the node's clock.
    package let moment: Int64

    private enum Kind: String {
        case purged, replaced, withdrawn
    }

    package init(_ event: OriginalEvent, node: String, instance: String, moment: Int64) {
        self.event = event
        self.node = node
        self.instance = instance
        self.moment = moment
    }

    /// Alternating names and values, as in the stream.
    package var fields: [String] {
        let (kind, rest): (Kind, [String]) =
            switch self.event {
            case .purged: (.purged, [])
            case .replaced(_, let old, let new): (.replaced, ["old", old.description, "new", new.description])
            case .withdrawn(_, let digest): (.withdrawn, ["old", digest.description])
            }
        return [
            "kind", kind.rawValue, "id", self.event.id.description, "node", self.node, "instance", self.instance,
            "at", "\(self.moment)",
        ] + rest
    }

    /// Maximum length of a field's name in bytes; the known ones are shorter.
    private static let nameLimit = 16

    /// - Returns: `nil` if the fields are no event. An event of an unknown kind, which a later version may write, or
    ///   without its digests counts as a purge, which removes at least as much.
    package init?(fields: [String]) {
        var values: [String: String] = [:]
        // Longer names are unknown, and hashing them takes quadratic time for many combining marks.
        for index in stride(from: 0, to: fields.count - 1, by: 2) where fields[index].utf8.count <= Self.nameLimit {
            values[fields[index]] = fields[index + 1]
        }
        guard let text = values["id"], let id = try? PosterID(text), let node = values["node"],
            let instance = values["instance"], let moment = values["at"].flatMap({ Int64($0) })
        else { return nil }
        let old = values["old"].flatMap(Digest.init(hexadecimal:))
        let new = values["new"].flatMap(Digest.init(hexadecimal:))
        let event: OriginalEvent =
            switch (values["kind"].flatMap(Kind.init), old, new) {
            case (.replaced, let old?, let new?): .replaced(id, old: old, new: new)
            case (.withdrawn, let old?, _): .withdrawn(id, old)
            default: .purged(id)
            }
        self.init(event, node: node, instance: instance, moment: moment)
    }

    var json: [UInt8] {
        get throws { Array(try JSONEncoder().encode(self.fields)) }
    }

    init?(json: [UInt8]) {
        guard let fields = try? JSONDecoder().decode([String].self, from: Data(json)) else { return nil }
        self.init(fields: fields)
    }
}

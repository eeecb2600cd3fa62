import FoundationEssentials
import HTTPSemantics
import PosterPipeline

/// Which posters are to be forgotten.
package struct PurgeOrder: Codable {
    /// The most posters of one order.
    static let idLimit = 1000
    /// The largest order as JSON, in bytes.
    static let maxBytes = 1 << 20

    /// `[source:]key`, not percent-encoded.
    private let ids: [String]

    /// Reads `{"ids":["films:heat"]}`.
    ///
    /// - Throws: ``Problem`` that says what is wrong.
    init(json: [UInt8]) throws(Problem) {
        do {
            self = try JSONDecoder().decode(Self.self, from: Data(json))
        } catch {
            throw Problem(.invalidBody, "the body must be JSON such as {\"ids\":[\"films:heat\",\"films:alien\"]}")
        }
    }

    /// Each once, in its order.
    ///
    /// - Throws: ``Problem`` that names what is not acceptable.
    func posters() throws(Problem) -> [PosterID] {
        guard (1...Self.idLimit).contains(self.ids.count) else {
            throw Problem(.invalidBody, "ids must be 1 to \(Self.idLimit)")
        }
        var posters: [PosterID] = []
        var known: Set<PosterID> = []
        for text in self.ids {
            do throws(PosterID.Malformed) {
                let id = try PosterID(text).normal()
                if known.insert(id).inserted { posters.append(id) }
            } catch {
                throw Problem(.invalidBody, "the id '\(text.prefix(64))' is not [source:]key: \(error.reason)")
            }
        }
        return posters
    }
}

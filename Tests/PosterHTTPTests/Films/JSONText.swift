import Foundation
import PosterTesting

extension HTTPConnection.Answer {
    /// The body's JSON object; empty when it is none.
    var json: [String: Any] {
        (try? JSONSerialization.jsonObject(with: Data(self.body))) as? [String: Any] ?? [:]
    }

    /// A member that is an array of objects; empty when it is none.
    func objects(_ name: String) -> [[String: Any]] { self.json[name] as? [[String: Any]] ?? [] }

    /// The kind of problem that it is; empty when it is none.
    var problem: String {
        let type = self.json["type"] as? String ?? ""
        return String(type.split(separator: ":").last ?? "")
    }
}

import Foundation
package import PosterTesting

extension HTTPConnection.Answer {
    /// The body's JSON object; empty if it is not one.
    package var json: [String: Any] {
        (try? JSONSerialization.jsonObject(with: Data(self.body))) as? [String: Any] ?? [:]
    }

    /// A member that is an array of objects; empty if it is not one.
    package func objects(_ name: String) -> [[String: Any]] { self.json[name] as? [[String: Any]] ?? [] }

    /// The kind of the problem document; empty if the body is none.
    package var problem: String {
        let type = self.json["type"] as? String ?? ""
        return String(type.split(separator: ":").last ?? "")
    }

    /// Whether this is a problem document with a status and a kind.
    package func isProblem(_ status: Int, _ kind: String) -> Bool {
        self.status == status && self.text.contains("\"type\":\"urn:onesheet:problem:\(kind)\"")
            && self.headers["content-type"] == "application/problem+json"
    }
}

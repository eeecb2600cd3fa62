import HTTPSemantics
import Hummingbird

/// The parameters of a request in another service's format. Unknown ones are ignored, as the services do.
struct CompatibleRequest: Sendable {
    /// The query holds malformed percent-encoding.
    struct Malformed: Error, Hashable, Sendable {}

    /// The first value of each name.
    let parameters: [String: String]

    init(parameters: [String: String]) {
        self.parameters = parameters
    }

    init(_ request: Request) throws(Malformed) {
        do throws(Problem) {
            let pairs = try RequestTarget(request.uri.string).parameters(plusIsSpace: true)
            self.init(parameters: Dictionary(pairs.map { ($0.name, $0.value) }) { first, _ in first })
        } catch {
            throw Malformed()
        }
    }

    /// `nil` if the parameter is absent or empty.
    subscript(name: String) -> String? { self.parameters[name].flatMap { $0.isEmpty ? nil : $0 } }
}

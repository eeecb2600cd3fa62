import Foundation
import PosterTesting
import Testing

@testable import MovieCompatibility

/// The Movie Database's description of its API, stored beside the repository, with the committed overlay. Supports the
/// types, properties, items and references of JSON Schema; every property counts as required.
struct TMDBSchema: Sendable {
    static let note: Comment = "there is no description of The Movie Database's API beside the repository"

    /// `nil` if the description is not available.
    static let all: TMDBSchema? = {
        guard let samples = UpstreamSamples(), let bytes = try? samples.bytes("tmdb-openapi.json"),
            let document = try? OrderedJSON(parsing: bytes), let overlay = try? Self.overlay()
        else { return nil }
        return TMDBSchema(document: document, overlay: overlay)
    }()

    private let document: OrderedJSON
    private let overlay: OrderedJSON
    private let schemas: [String: OrderedJSON]

    private init(document: OrderedJSON, overlay: OrderedJSON) {
        self.document = document
        self.overlay = overlay
        let schemas = document["components"]?["schemas"]?.members ?? []
        self.schemas = Dictionary(schemas.map { ($0.name, $0.value) }) { first, _ in first }
    }

    private static func overlay() throws -> OrderedJSON {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../TMDB/tmdb-overlay.json")
        return try OrderedJSON(parsing: Array(try Data(contentsOf: file)))
    }

    /// The schema of a response.
    ///
    /// - Parameter operation: An operation such as `GET /3/movie/{movie_id}`.
    func schema(_ operation: String, status: Int = 200) -> OrderedJSON? {
        let parts = operation.split(separator: " ").map(String.init)
        let response = self.document["paths"]?[parts[1]]?[parts[0].lowercased()]?["responses"]?["\(status)"]
        return response?["content"]?["application/json"]?["schema"]
    }

    /// The violations in a response; empty if it is valid.
    func faults(_ value: OrderedJSON, _ operation: String, status: Int = 200) -> Set<String> {
        guard let schema = self.schema(operation, status: status) else { return ["there is no operation \(operation)"] }
        var faults: Set<String> = []
        self.check(value, schema, at: "", operation, &faults)
        return faults
    }

    /// A response composed of the description's examples.
    func example(_ operation: String) throws -> OrderedJSON {
        self.example(of: try #require(self.schema(operation)), at: "", operation)
    }

    /// Omits optional members without an example.
    private func example(of schema: OrderedJSON, at path: String, _ operation: String) -> OrderedJSON {
        let schema = self.resolved(schema)
        switch schema["type"]?.string {
        case "object":
            let members = (schema["properties"]?.members ?? []).map { property in
                OrderedJSON.Member(
                    property.name, self.example(of: property.value, at: "\(path)/\(property.name)", operation))
            }
            return .object(
                members.filter { $0.value != .null || !self.isOptional("\(path)/\($0.name)", operation) })
        case "array": return .array(schema["items"].map { [self.example(of: $0, at: path + "/*", operation)] } ?? [])
        default: return schema["example"] ?? .null
        }
    }

    private func resolved(_ schema: OrderedJSON) -> OrderedJSON {
        guard let name = schema["$ref"]?.string?.split(separator: "/").last else { return schema }
        return self.schemas[String(name)].map(self.resolved) ?? schema
    }

    private func check(
        _ value: OrderedJSON, _ schema: OrderedJSON, at path: String, _ operation: String, _ faults: inout Set<String>
    ) {
        let schema = self.resolved(schema)
        let name = path.split(separator: "/").last.map(String.init) ?? ""
        var type = schema["type"]?.string
        if value == .null, type == nil || self.overlay["nullable"]?[name] != nil { return }
        if let other = self.overlay["alternatives"]?[operation]?[path]?.string, other == Self.type(of: value) { return }
        if type == "integer", self.overlay["numbers"]?[name] != nil { type = "number" }
        let own = Self.type(of: value)
        if let type, type != own, !(type == "number" && own == "integer") {
            faults.insert("\(path) is \(own), not \(type)")
            return
        }
        if case .object = value {
            for property in schema["properties"]?.members ?? [] {
                let place = "\(path)/\(property.name)"
                if let member = value[property.name] {
                    self.check(member, property.value, at: place, operation, &faults)
                } else if !self.isOptional(place, operation) {
                    faults.insert("\(place) is missing")
                }
            }
        }
        if let items = schema["items"] {
            for element in value.elements { self.check(element, items, at: path + "/*", operation, &faults) }
        }
    }

    private func isOptional(_ path: String, _ operation: String) -> Bool {
        let parts = path.split(separator: "/")
        return (self.overlay["optional"]?[operation]?.members ?? []).contains { member in
            let pattern = member.name.split(separator: "/")
            return pattern.count == parts.count && zip(pattern, parts).allSatisfy { $0 == "?" || $0 == $1 }
        }
    }

    private static func type(of value: OrderedJSON) -> String {
        switch value {
        case .null: "null"
        case .boolean: "boolean"
        case .integer: "integer"
        case .number: "number"
        case .string: "string"
        case .array: "array"
        case .object: "object"
        }
    }
}

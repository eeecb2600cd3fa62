import Foundation
import MovieCompatibility
import MovieDomain
import PosterTesting
import ServiceTesting
import Synchronization

/// Another service's responses from a table.
final class ScriptedDocuments: UpstreamDocuments {
    private struct State {
        var answers: [String: Result<[UInt8]?, SourceFailure>] = [:]
        var requests: [DocumentRequest] = []
    }

    private let state = Mutex(State())

    var requests: [DocumentRequest] { self.state.withLock { $0.requests } }

    func set(_ document: [UInt8]?, for path: String) { self.state.withLock { $0.answers[path] = .success(document) } }

    func fail(_ path: String, with failure: SourceFailure) {
        self.state.withLock { $0.answers[path] = .failure(failure) }
    }

    func document(_ request: DocumentRequest) async throws -> [UInt8]? {
        try self.state.withLock { state in
            state.requests.append(request)
            return try state.answers[request.path]?.get() ?? nil
        }
    }

    func decoded<Value: Sendable>(
        _ document: [UInt8], _ decode: @escaping @Sendable ([UInt8]) throws -> Value
    ) async throws -> Value { try decode(document) }
}

/// Recorded responses, if available.
enum Samples {
    static let all = UpstreamSamples()
    static let note: String = "there are no recorded answers beside the repository"

    static func bytes(_ name: String) throws -> [UInt8] { try self.all?.bytes(name) ?? [] }

    static func json(_ name: String) throws -> NSDictionary { JSON.object(try self.bytes(name)) }
}

/// JSON in Foundation's types, which compare numbers by value.
enum JSON {
    static func object(_ bytes: [UInt8]) -> NSDictionary {
        (try? JSONSerialization.jsonObject(with: Data(bytes))) as? NSDictionary ?? [:]
    }
}

extension LiveServer.Settings {
    /// Settings with APIs in other services' formats.
    static func compatible(
        _ apis: Set<CompatibleAPI> = Set(CompatibleAPI.allCases), keys: ClientKeys = .any,
        documents: CompatibleUpstreams = CompatibleUpstreams()
    ) -> LiveServer.Settings {
        var settings = LiveServer.Settings()
        settings.compatibility = CompatibilityResources.Settings(apis: apis, keys: keys)
        settings.documents = documents
        return settings
    }
}

import MovieDomain
import MovieHTTP

/// The Movie Database's documents: unchanged, including unknown members, except for the hosts of images.
struct TMDBUpstreamDocuments: Sendable {
    let upstream: any TMDBUpstream

    /// - Parameter imageBase: The URL of this server's images, with a trailing slash.
    /// - Throws: ``TMDBFault``, `SourceFailure`, `CancellationError`.
    func document(
        _ resource: TMDBResource, for request: TMDBRequest, imageBase: String
    ) async throws -> [UInt8] {
        let query = try Self.query(of: resource, request)
        let found = try await self.upstream.document(
            DocumentRequest(
                resource.path, query: query, language: request["language"].flatMap { Language(tag: $0) },
                lifetime: resource.lifetime))
        guard let found else { throw TMDBFault(.notFound) }
        if let refusal = TMDBFault(document: found) { throw refusal }
        // Only the configuration contains the image host: other resources contain paths.
        guard resource == .configuration else { return found }
        return JSONSplicing.replacing(TMDBConfiguration.imageBases, with: imageBase, in: found)
    }

    /// - Throws: ``TMDBFault`` for requests that The Movie Database would reject.
    static func query(
        of resource: TMDBResource, _ request: TMDBRequest
    ) throws(TMDBFault) -> [(name: String, value: String)] {
        if case .search = resource, request["query"] == nil { throw .missing("query") }
        if case .find = resource, request["external_source"] == nil { throw TMDBFault(.invalidParameters) }
        let appended = try request.appended().filter { $0 != TMDBResource.personalPart }
        var query: [(name: String, value: String)] = []
        for name in resource.parameters {
            switch name {
            case "page":
                let page = try request.page()
                if resource.hasPages || request["page"] != nil { query.append((name, String(page))) }
            case "append_to_response":
                if !appended.isEmpty { query.append((name, appended.joined(separator: ","))) }
            case "language":
                if request["language"] != nil { query.append((name, request.languageTag)) }
            default:
                if let value = request[name] { query.append((name, value)) }
            }
        }
        return query
    }
}

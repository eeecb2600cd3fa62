import HTTPServer
import HTTPTypes
import Hummingbird
import PosterAPI
import PosterPipeline

extension FilmDesk {
    /// Answers with what anybody was answered just now, else with what `make` makes, which is cancelled when the client leaves.
    func respond(
        to request: Request, _ order: FilmOrder, _ context: PosterRequestContext,
        _ make: @escaping @Sendable () async throws -> JSONAnswer
    ) async throws -> Response {
        let key = order.isAnybodys ? self.key(request, order) : nil
        if let key, let known = self.cache.response(for: key) { return try known.response(to: request) }
        let answer = try await context.whileClientPresent(make)
        if let key { self.cache.insert(answer, for: key) }
        return try answer.response(to: request)
    }

    private func key(_ request: Request, _ order: FilmOrder) -> ResponseCache.Key {
        ResponseCache.Key(
            target: request.uri.string, languages: order.language, generation: self.policies.reader.generation)
    }
}

extension FilmOrder {
    /// Whether nothing in it says who asks.
    fileprivate var isAnybodys: Bool {
        self.headers[.authorization] == nil && self.headers[.cookie] == nil
    }
}

import Flights

extension PosterPipeline {
    /// Whether a request would be answered from memory; asking is no use of the variant.
    func holds(_ request: PosterRequest) -> Bool {
        guard case .variant(let target) = request.rendition, let facts = self.library.known(request.id)?.facts,
            let key = try? VariantKey.of(request.id, facts, target)
        else { return false }
        return self.variants.contains(key)
    }

    /// Makes a variant before anybody asks.
    ///
    /// - Returns: Whether it had to be made, or why it could not be.
    /// - Throws: `CancellationError`.
    func warm(_ request: PosterRequest) async throws -> Result<Bool, PosterError> {
        guard !self.holds(request) else { return .success(false) }
        do {
            let answer = try await self.answer(to: request, level: .warming, isCurrent: { _ in false })
            let isMade =
                switch answer {
                case .variant(_, let provenance): provenance.reach != .cache
                case .original(_, _, let provenance): provenance.reach == .origin
                case .notModified: false
                }
            if isMade { self.counters.count(.warmed) }
            return .success(isMade)
        } catch let error as PosterError {
            return .failure(error)
        }
    }
}

import MovieDomain

extension FilmDesk {
    /// What people went to see, with posters.
    ///
    /// - Throws: `StorageFailure`, ``Problem``, `CancellationError`.
    func object(_ boxOffice: BoxOffice, for caller: FilmCaller) async throws -> BoxOfficeObject {
        let marked = try await self.marked(boxOffice.entries.map(\.movieID), for: caller)
        let entries = try boxOffice.entries.map { entry in
            BoxOfficeObject.Entry(
                entry, poster: try self.poster(of: entry.movieID, reference: entry.poster),
                isFavourite: marked.contains(entry.movieID))
        }
        return BoxOfficeObject(
            boxOffice, isComplete: boxOffice.period.isOver(at: self.services.now()), results: entries)
    }
}

import MovieDomain
import Testing

@testable import MovieLibrary

struct MovieSnapshotTests {
    private let id = MovieID("tmdb:13")!

    @Test func aSnapshotHasTheBackdropButItsNameHasNot() throws {
        let backdrop = PosterReference(.tmdb(file: "b.jpg"), size: PictureSize(width: 3840, height: 2160))
        let movie = try #require(MovieSummary(id: self.id, title: "A", backdrop: backdrop))
        let snapshot = try #require(MovieSnapshot(json: try MovieSnapshot.json(of: movie)))
        #expect(snapshot.movie(self.id) == movie)
        #expect(snapshot.nameOnly.movie(self.id)?.backdrop == nil)
    }

    @Test func oldSnapshotsHaveNoBackdrop() throws {
        let snapshot = try #require(MovieSnapshot(json: #"{"title":"A","poster":{"tmdb":"p.jpg"}}"#))
        let movie = try #require(snapshot.movie(self.id))
        #expect(movie.backdrop == nil && movie.poster?.location == .tmdb(file: "p.jpg"))
    }
}

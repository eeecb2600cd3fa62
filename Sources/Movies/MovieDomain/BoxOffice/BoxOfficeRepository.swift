/// A source of box offices. Days are those of Seoul.
///
/// Every function throws ``SourceFailure``, or `CancellationError`.
public protocol BoxOfficeRepository: Sendable {
    /// Whose figures they are; films of a box office are of this source.
    var source: MovieSource { get }
    /// The first day that it knows.
    var firstDay: CalendarDate { get }

    /// The days of `period`, at most ten entries.
    func boxOffice(of period: BoxOfficePeriod, language: LanguagePreference) async throws -> BoxOffice
}

package import MovieDomain

/// Checks the contract of `BoxOfficeRepository`.
///
/// - Parameter periods: Periods with figures.
/// - Returns: The violations, in sentences; empty for none.
package func checkContract(
    of repository: some BoxOfficeRepository, periods: [BoxOfficePeriod]
) async throws -> [String] {
    let language = LanguagePreference([.korean])
    var broken: [String] = []
    for period in periods {
        let name = "\(period.from) to \(period.to)"
        let boxOffice = try await repository.boxOffice(of: period, language: language)
        if boxOffice.source != repository.source { broken.append("\(name) is of \(boxOffice.source.name)") }
        if boxOffice.period != period { broken.append("\(name) is of another period") }
        if !(1...10).contains(boxOffice.entries.count) {
            broken.append("\(name) has \(boxOffice.entries.count) entries")
        }
        if boxOffice.entries.map(\.rank) != Array(1..<(boxOffice.entries.count + 1)) {
            broken.append("\(name) is not by rank")
        }
        if Set(boxOffice.entries.map(\.movieID)).count != boxOffice.entries.count {
            broken.append("\(name) has a film twice")
        }
        if boxOffice.entries.compactMap(\.salesShare).reduce(0, +) > 100.05 {
            broken.append("\(name) has more sales than all")
        }
        for entry in boxOffice.entries {
            broken += brokenEntry(entry, of: repository.source).map { "\(name): \(entry.movieID) \($0)" }
        }
    }
    return broken
}

private func brokenEntry(_ entry: BoxOfficeEntry, of source: MovieSource) -> [String] {
    var broken: [String] = []
    if entry.movieID.source != source { broken.append("is of another source") }
    if entry.title.isEmpty { broken.append("has no title") }
    if entry.isNew, entry.rankChange != 0 { broken.append("is new, but has risen or fallen") }
    if entry.salesShare.map({ !(0...100).contains($0) }) == true { broken.append("has an impossible share") }
    if min(entry.screens, entry.showings) < 0 { broken.append("has negative screens or showings") }
    for figure in [entry.audience, entry.sales] {
        if figure.value < 0 || figure.total < figure.value { broken.append("had less in all than in the period") }
        if let change = figure.change, figure.value - change < 0 { broken.append("had less than nobody before") }
    }
    return broken
}

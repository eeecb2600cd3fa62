/// The job of a member of a film's crew.
package enum Job: String, CaseIterable, Sendable {
    case director, assistantDirector, scriptSupervisor
    case screenplay, writer, adaptation, story, sourceWork
    case producer, executiveProducer, lineProducer, associateProducer, planner, productionManager, casting
    case locationManager, accountant
    case cinematographer, cameraOperator, assistantCamera, grip, stillPhotographer
    case gaffer
    case editor, assistantEditor, colorist
    case composer, musicSupervisor, musicEditor, soundDesigner, soundEditor, soundMixer, boomOperator, foley
    case productionDesigner, artDirector, setDecorator, propertyMaster, storyboardArtist
    case costumeDesigner, costume, makeup, hair
    case visualEffects, animation, specialEffects
    case stunts, choreographer, transport, catering, publicity, makingOf, thanks
    /// Any other job, which only the source's word describes.
    case other

    /// - Parameter word: A source's word; case and white space are ignored. Unknown words map to ``other``.
    package init(word: String) { self = Self.words[VocabularyWord(word)] ?? .other }

    /// The department that usually has the job; `nil` for ``other``.
    package var department: Department? { Self.entries[self]?.department }

    private static let entries: [Job: (department: Department, words: [String])] = Dictionary(
        uniqueKeysWithValues: Self.table.split(separator: "\n").compactMap { row in
            let parts = row.split(separator: ";", omittingEmptySubsequences: false)
            guard parts.count == 4, let job = Job(rawValue: String(parts[0])),
                let department = Department(rawValue: String(parts[1]))
            else { return nil }
            return (job, (department, parts[2].wordsBetweenBars + parts[3].wordsBetweenBars))
        })

    private static let words = VocabularyWord.table(Self.entries.map { (words: $0.value.words, value: $0.key) })
}

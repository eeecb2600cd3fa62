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

extension Job {
    /// Rows of job; department; words of TMDB and OMDb; words of KOBIS and KMDb.
    static let table = """
        director;directing;Director|Co-Director|Directed by;감독|연출|공동감독|공동연출|총감독
        assistantDirector;directing;First Assistant Director|Second Assistant Director|Second Second Assistant Director|Third Assistant Director|Assistant Director;조감독|연출팀|연출부
        scriptSupervisor;directing;Script Supervisor;스크립터|스크립트
        screenplay;writing;Screenplay|Teleplay|Co-Writer|Screenstory;시나리오(각본)|각본|시나리오
        writer;writing;Writer|Dialogue;작가
        adaptation;writing;Adaptation;각색|윤색
        story;writing;Story|Original Story|Idea;스토리|원안
        sourceWork;writing;Novel|Book|Author|Short Story|Comic Book|Graphic Novel|Theatre Play|Characters|Original Concept|Original Film Writer;원작
        producer;production;Producer|Co-Producer;제작|제작자|프로듀서|공동제작|공동제작자
        executiveProducer;production;Executive Producer|Co-Executive Producer;총제작|제작총괄|제작투자|투자|공동투자|책임프로듀서
        lineProducer;production;Line Producer;라인프로듀서
        associateProducer;production;Associate Producer;
        planner;production;;기획|기획진행|공동기획
        productionManager;production;Production Manager|Unit Production Manager|Production Supervisor|Production Coordinator|Assistant Production Coordinator|Production Assistant;제작관리|제작실장|제작부장|제작팀|제작진행|제작부
        casting;production;Casting|Casting Director|Casting Associate|Casting Assistant|Extras Casting|ADR Voice Casting;캐스팅디렉터|캐스팅
        locationManager;production;Location Manager|Assistant Location Manager|Supervising Location Manager|Location Scout;로케이션매니저|로케이션
        accountant;production;Production Accountant|First Assistant Accountant|Second Assistant Accountant|Payroll Accountant;제작회계
        cinematographer;camera;Director of Photography|Cinematography;촬영|촬영감독
        cameraOperator;camera;Camera Operator|Steadicam Operator|Aerial Camera;카메라오퍼레이터|스테디캠|지미집|특수촬영|항공촬영
        assistantCamera;camera;First Assistant Camera|Second Assistant Camera|Assistant Camera|Camera Loader;촬영팀|촬영부|데이타매니저|촬영장비
        grip;camera;Key Grip|Dolly Grip|Best Boy Grip|Grip;그립
        stillPhotographer;camera;Still Photographer;스틸|포스터사진
        gaffer;lighting;Gaffer|Chief Lighting Technician|Lighting Technician|Best Boy Electric|Rigging Gaffer|Rigging Grip|Lighting Director;조명|조명팀|조명부|조명감독|조명장비|발전차
        editor;editing;Editor|Co-Editor;편집|현장편집|편집감독
        assistantEditor;editing;Assistant Editor|First Assistant Editor;편집팀
        colorist;editing;Color Timer|Colorist|Color Grading;DI팀|아날로그색보정|색보정|디지털색보정|현상팀|현상
        composer;sound;Original Music Composer|Music|Composer|Additional Music|Songs;음악|음악감독|작사/작곡/편곡|작곡
        musicSupervisor;sound;Music Supervisor|Music Director;음악진행
        musicEditor;sound;Music Editor;
        soundDesigner;sound;Sound Designer|Supervising Sound Editor|Sound Supervisor|Sound|Sound Director|Assistant Sound Designer;사운드|사운드디자이너|사운드수퍼바이저|음향|음향감독
        soundEditor;sound;Sound Editor|Sound Effects Editor|Dialogue Editor|ADR Editor|ADR Supervisor|Assistant Sound Editor|Assistant Dialogue Editor|Sound Effects;사운드효과|사운드팀|효과|대사
        soundMixer;sound;Sound Mixer|Sound Re-Recording Mixer|ADR Mixer|Foley Mixer|Sound Mix Technician|Sound Recordist;사운드믹싱|동시녹음|녹음|음악 믹싱/레코딩|믹싱|현장녹음
        boomOperator;sound;Boom Operator;붐오퍼레이터|케이블맨
        foley;sound;Foley Artist|Foley|Foley Recordist|Foley Editor;폴리
        productionDesigner;art;Production Design|Production Designer;미술/프로덕션 디자인|프로덕션디자인|미술|미술감독
        artDirector;art;Art Direction|Art Director|Assistant Art Director|Supervising Art Director;아트디렉터|미술팀|미술부
        setDecorator;art;Set Decoration|Set Decorator|Set Designer|Set Dresser|Set Dressing Buyer;세트|세트팀|세트미술팀
        propertyMaster;art;Property Master|Assistant Property Master|Props;소품|소품팀|소도구|특수차량
        storyboardArtist;art;Storyboard Artist|Storyboard;스토리보드
        costumeDesigner;costumeAndMakeup;Costume Design|Costume Designer;의상|의상디자이너|특수의상
        costume;costumeAndMakeup;Costume Supervisor|Key Costumer|Set Costumer|Assistant Costume Designer;의상팀
        makeup;costumeAndMakeup;Makeup Artist|Key Makeup Artist|Makeup Department Head|Makeup Designer|Prosthetic Makeup Artist|Makeup Effects;분장|분장팀|특수분장|메이크업|분장차
        hair;costumeAndMakeup;Hairstylist|Key Hair Stylist|Hair Designer|Hair Department Head;헤어|미용
        visualEffects;visualEffects;Visual Effects|Visual Effects Supervisor|Visual Effects Producer|Visual Effects Coordinator|Visual Effects Technical Director|Digital Compositors|Compositors|CG Supervisor;시각효과|VFX 슈퍼바이저|VFX 아티스트|VFX 매니지먼트|컴퓨터그래픽
        animation;visualEffects;Animation|Animation Supervisor|Animation Director|3D Animator|Key Animation;애니메이션|원화|작화|캐릭터디자인
        specialEffects;visualEffects;Special Effects|Special Effects Supervisor|Special Effects Coordinator|Special Effects Technician;특수효과|특수효과팀
        stunts;crew;Stunts|Stunt Coordinator|Stunt Double|Utility Stunts|Fight Choreographer|Martial Arts Choreographer;액션/스턴트|액션/스턴트팀|액션/스턴트코디네이터|무술|무술감독|스턴트
        choreographer;crew;Choreographer;안무
        transport;crew;Driver|Transportation Captain|Transportation Coordinator|Production Driver;운송
        catering;crew;Craft Service|Catering;식당차
        publicity;crew;Publicist|Unit Publicist;홍보/마케팅 진행|홍보|마케팅|온라인마케팅|광고디자인|광고대행|예고편|배급진행
        makingOf;crew;Behind the Scenes;메이킹필름
        thanks;crew;Thanks|In Memory Of;
        """
}

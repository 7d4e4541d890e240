import { any } from './counter-words.ts';

/** The words beside clocks, as sources of patterns for the flags `iu`. */

/** What a time stands after that a server has written beside its own text. */
export const UPDATED = any(
  '(?:last |page |automatically |auto-?)?(?:updated|refreshed|generated|rendered|retrieved|checked|synced|synchroni[sz]ed|reloaded|loaded|served|fetched|cached|polled|scanned|crawled|computed|calculated|compiled|queried|requested|captured)',
  '(?:last|latest|previous|time of (?:last )?) ?(?:update|refresh|check|sync(?:hroni[sz]ation)?|scan|poll|fetch|crawl|run|render(?:ing)?|load)',
  '(?:time|date)(?: and time)? of (?:retrieval|generation|access|query|request|rendering|update)',
  '(?:updates?|refresh(?:es)?) (?:at|time)',
  'as of',
  'as at',
  'snapshot(?: taken| time)?',
  'timestamp',
  '(?:current|local|server|system|page) (?:date and )?time(?: is)?',
  // German.
  'Stand',
  'Datenstand',
  'Abruf(?:zeit(?:punkt)?|datum)?',
  '(?:Zuletzt |Letztmals |Automatisch )?(?:aktualisiert|geprüft|überprüft|abgerufen|synchronisiert|abgefragt|geladen|generiert|erzeugt)',
  'Letzte[rs]? (?:Aktualisierung|Prüfung|Überprüfung|Abruf|Abfrage|Synchronisation|Synchronisierung|Abgleich|Update|Check)',
  '(?:Serverzeit|Systemzeit|Ortszeit|Uhrzeit|Aktuelle (?:Uhr)?zeit)',
  // French.
  'Mise? à jour',
  'Dernière (?:mise à jour|vérification|actualisation|synchronisation)',
  '(?:Actualisé|Vérifié|Généré|Consulté|Récupéré|Synchronisé|Chargé)e?s?',
  'Heure (?:du serveur|locale|actuelle)',
  'Page (?:générée|affichée|chargée)',
  // Spanish and Portuguese.
  '(?:Última (?:vez )?)?(?:Actualizad|Comprobad|Verificad|Generad|Consultad|Sincronizad|Cargad)[oa]s?',
  'Última (?:actualización|comprobación|verificación|consulta|sincronización)',
  'Hora (?:del servidor|local|actual)',
  '(?:Atualizad|Verificad|Gerad|Consultad|Sincronizad|Carregad)[oa]s?',
  'Última (?:atualização|verificação|consulta|sincronização)',
  'Hora (?:do servidor|atual)',
  // Italian and Romanian.
  '(?:Ultimo )?(?:Aggiornat|Verificat|Controllat|Generat|Sincronizzat|Caricat)[oaie]',
  'Ultim[oa] (?:aggiornamento|verifica|controllo|sincronizzazione|lettura)',
  '(?:Ora|Orario) (?:del server|locale|attuale)',
  'Actualizat[ăe]?',
  'Ultima (?:actualizare|verificare|sincronizare)',
  // Dutch, Swedish, Danish, Norwegian, Finnish.
  '(?:Laatst |Voor het laatst )?(?:Bijgewerkt|Gecontroleerd|Gegenereerd|Opgehaald|Gesynchroniseerd|Geladen)',
  'Laatste (?:update|controle|synchronisatie)',
  'Servertijd',
  '(?:Senast )?(?:Uppdaterad|Kontrollerad|Genererad|Hämtad|Synkroniserad|Laddad)(?:es)?',
  'Senast(?:e)? (?:uppdatering|kontroll|synkronisering)',
  '(?:Sidst |Senest |Sist )?(?:Opdateret|Kontrolleret|Genereret|Hentet|Oppdatert|Kontrollert|Generert|Synkronisert|Tjekket|Sjekket)',
  '(?:Seneste|Sidste|Siste) (?:opdatering|kontrol|oppdatering|kontroll|tjek|sjekk)',
  '(?:Viimeksi |Viimeisin )?(?:Päivitetty|Tarkistettu|Haettu|Päivitys|Tarkistus)',
  // Polish, Czech, Slovak, Hungarian.
  '(?:Ostatnio )?(?:Zaktualizowano|Sprawdzono|Wygenerowano|Pobrano|Zsynchronizowano)',
  'Ostatni[ea] (?:aktualizacja|sprawdzenie|synchronizacja)',
  'Aktualizacja|Stan na(?: dzień)?',
  '(?:Naposledy )?(?:Aktualizováno|Zkontrolováno|Ověřeno|Vygenerováno|Načteno|Aktualizované|Skontrolované)',
  'Poslední (?:aktualizace|kontrola)|Posledná (?:aktualizácia|kontrola)',
  '(?:Utoljára )?(?:Frissítve|Ellenőrizve|Lekérdezve)',
  'Utolsó (?:frissítés|ellenőrzés)',
  // Russian, Ukrainian, Bulgarian.
  '(?:Последний раз )?(?:Обновлен[оаы]?|Обновлён|Проверен[оаы]?|Сгенерирован[оаы]?|Синхронизирован[оаы]?|Загружен[оаы]?)',
  'Последн(?:ее обновление|яя проверка|яя синхронизация)',
  'Время (?:сервера|на сервере)|Текущее время|Данные на',
  '(?:Востаннє )?(?:Оновлен[оаіи]?|Перевірен[оаіи]?|Згенеровано)',
  'Останн(?:є оновлення|я перевірка)',
  'Последна (?:актуализация|проверка)|Обновен[оа]',
  // Turkish, Greek.
  '(?:Son )?(?:Güncelleme|Güncellendi|Güncellenme|Kontrol(?: edildi)?|Denetim)(?: (?:tarihi|zamanı|saati))?',
  '(?:Τελευταία )?(?:Ενημέρωση|Ενημερώθηκε|Έλεγχος)',
  'Τελευταίος έλεγχος',
  // Chinese, Japanese, Korean.
  '(?:最[后後近]|上次)?(?:更新|检查|檢查|刷新|同步|获取|查询)(?:时间|時間|日時|日期|于|於)?',
  '(?:服务器|伺服器|系统|系統|当前|當前|生成|页面生成)(?:时间|時間)|数据截至|截至',
  '(?:最終|前回)?(?:更新|確認|取得|チェック|同期|生成)(?:日時|時刻|時間|日)?',
  'サーバー時刻|現在時刻',
  '(?:최종|마지막|최근) ?(?:업데이트|갱신|확인|점검|동기화|수정)(?: ?(?:시간|일시|시각))?|(?:업데이트|갱신)(?: ?(?:시간|일시|시각))?|서버 ?시간|현재 ?시각',
  // Arabic, Hebrew, Indonesian, Vietnamese, Hindi.
  '(?:آخر )?(?:تحديث|فحص|تم التحديث)',
  '(?:עודכן|נבדק)(?: לאחרונה)?|עדכון אחרון|בדיקה אחרונה',
  '(?:Terakhir )?(?:diperbarui|diperiksa|dicek)|Pembaruan terakhir|Waktu server',
  '(?:Cập nhật|Kiểm tra)(?: (?:lần cuối|lúc|mới nhất))?|Lần (?:cập nhật|kiểm tra) cuối',
  'अंतिम अपडेट|अपडेट किया गया',
);

/** What people do to a text, too: a time to the second is that of a server's own writing. */
export const SAVED_LABELS = any(
  '(?:last |latest )?(?:modified|changed|saved|edited|modification|change)',
  '(?:zuletzt )?(?:geändert|gespeichert|bearbeitet)|letzte (?:Änderung|Bearbeitung)',
  '(?:dernière )?(?:modification|modifiée?)',
  '(?:última )?(?:modificación|modificado|modificação|alteração)',
  '(?:ultima )?(?:modifica|modificato)',
  '(?:laatst )?gewijzigd',
  '(?:senast )?ändrad|(?:sidst|sist) (?:ændret|endret)',
  'ostatnia (?:zmiana|modyfikacja)|zmodyfikowano',
  'изменен[оа]?|последнее изменение',
  '最后修改|最後修改|最終変更',
);

export const TODAY = any(
  "today(?: is|[’']s date(?: is)?)?",
  '(?:the )?current date(?: is)?',
  'heute(?: ist)?',
  "aujourd[’']hui(?:,? nous sommes)?",
  'nous sommes',
  'hoy(?: es)?',
  'oggi(?: è)?',
  'hoje(?: é)?',
  'vandaag(?: is het| is)?',
  'idag(?: är det)?',
  'i dag(?: er det)?',
  'tänään(?: on)?',
  'dzi(?:ś|siaj)(?: jest)?',
  'dnes(?: je)?',
  'сегодня',
  'сьогодні',
  '(?:a )?mai (?:nap|dátum)|ma(?= \\d{4})',
  'astăzi(?: este)?',
  'bugün(?:ün tarihi)?',
  'σήμερα(?: είναι)?',
  'hari ini(?: adalah)?',
  'hôm nay(?: là)?',
  '今日は',
  '本日は',
  '今天是',
  '오늘은',
);

/** Words that may stand in a date with a time, besides the months. */
export const DATE_WORDS: ReadonlySet<string> = new Set(
  `monday tuesday wednesday thursday friday saturday sunday mon tue tues wed thu thur thurs fri sat sun
  montag dienstag mittwoch donnerstag freitag samstag sonnabend sonntag mo di mi do fr sa so
  lundi mardi mercredi jeudi vendredi samedi dimanche lun mer jeu ven sam dim
  lunes martes miércoles jueves viernes sábado domingo lunedì martedì mercoledì giovedì venerdì sabato domenica
  segunda terça quarta quinta sexta feira maandag dinsdag woensdag donderdag vrijdag zaterdag zondag
  måndag tisdag onsdag torsdag fredag lördag söndag mandag tirsdag lørdag søndag
  maanantai tiistai keskiviikko torstai perjantai lauantai sunnuntai maanantaina tiistaina keskiviikkona torstaina
  perjantaina lauantaina sunnuntaina
  poniedziałek wtorek środa czwartek piątek sobota niedziela pondělí úterý středa čtvrtek pátek neděle
  pondelok utorok streda štvrtok piatok nedeľa hétfő kedd szerda csütörtök péntek szombat vasárnap
  luni marți miercuri joi vineri sâmbătă duminică pazartesi salı çarşamba perşembe cuma cumartesi pazar
  понедельник вторник среда четверг пятница суббота воскресенье пн вт ср чт пт сб вс
  понеділок вівторок середа пʼятниця субота неділя δευτέρα τρίτη τετάρτη πέμπτη παρασκευή σάββατο κυριακή
  senin selasa rabu kamis jumat sabtu minggu
  at on the of by st nd rd th um am den der dem vom à a le la las los el de del às alle ore il om op kl klo o w dnia
  je ve dne г года в на от від о році saat saati tarih tarihi στις pukul lúc ngày
  uur uhr h hrs hours pm p m
  z t utc gmt wet bst cet cest eet eest msk ist jst kst cst sgt hkt est edt cdt mst mdt pst pdt aest aedt nzst nzdt
  brt art mez mesz et ct mt pt мск sast wib trt
  eastern central mountain pacific european local standard daylight summer time coordinated universal greenwich mean
  العاشر الساعة في`.split(/\s+/),
);

/** Words that a line about the work of a server is made of. */
export const TIMING_WORDS: ReadonlySet<string> = new Set(
  `this page site was is were been has in within seconds second s sec secs ms msec msecs milliseconds millisecond µs with using and
  for by server db database sql mysql query queries memory peak usage mb kb mib kib used time total php cpu load it the of
  generated generation rendered rendering loaded loading served created creation executed execution processed processing built
  took elapsed runtime request cache cached cpu
  diese seite die wurde in sekunden sekunde sek mit und abfragen datenbankabfragen datenbank erstellt geladen erzeugt
  generiert ladezeit seitenaufbau speicher
  page cette générée généré générées en secondes seconde avec requêtes requête chargée chargé temps chargement exécution de la
  esta página fue generada generado cargada cargado segundos segundo con consultas tiempo carga ejecución
  foi gerada gerado carregada carregado com tempo carregamento execução
  pagina generata generato caricata caricato secondi secondo con tempo caricamento esecuzione
  deze is gegenereerd geladen seconden seconde laadtijd
  sidan genererades genererad laddades laddad på sekunder siden blev ble genereret generert lastet indlæst av af
  sivu luotu ladattu sekunnissa
  strona wygenerowana wygenerowano załadowana w sekund sekundy sekundę z zapytań zapytania czas generowania
  stránka vygenerována vygenerovaná vygenerováno načtena za sekundy sekund
  страница сгенерирована сгенерировано создана загружена за сек секунд секунды секунду с запросов запроса время
  генерации загрузки выполнения
  сторінка згенерована сторінку згенеровано секунди
  az oldal generálása létrehozása létrehozva másodperc alatt betöltve
  sayfa saniyede saniye oluşturuldu yüklendi oluşturulma süresi
  页面生成时间 页面执行时间 执行时间 生成 秒 用时 耗时 查询 ページ生成時間 生成時間 処理時間 表示時間 執行時間`.split(
    /\s+/,
  ),
);
